"""The house keeps its own rules: import contracts, versions that agree, no paths and hosts in the tree."""

import ast
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_import_contracts_hold() -> None:
    """Every arrow of the architecture goes one way."""
    tool = Path(sys.executable).with_name("lint-imports")
    done = subprocess.run([tool, "--no-cache"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_constraints_are_mirrored_for_uv() -> None:
    """pyproject.toml gives uv the versions of constraints.txt, so that `uv run` and CI install the same."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    lines = (ROOT / "constraints.txt").read_text().splitlines()
    wanted = [line.strip() for line in lines if line.strip() and not line.startswith("#")]
    assert project["tool"]["uv"]["constraint-dependencies"] == wanted


def imported(path: Path) -> set[str]:
    """The modules that a file imports from."""
    nodes = ast.walk(ast.parse(path.read_text()))
    return {node.module for node in nodes if isinstance(node, ast.ImportFrom) and node.module}


def test_rules_never_import_each_other() -> None:
    """A rule's file imports no other rule's; what a family shares stands in a private module of its folder."""
    rooms = {f"mcpsniff.rules.{path.stem}" for path in (ROOT / "mcpsniff/rules").glob("*.py")}
    for path in (ROOT / "mcpsniff/rules").glob("*/*.py"):
        family = f"mcpsniff.rules.{path.parent.name}."
        foreign = {name for name in imported(path) - rooms if name.startswith("mcpsniff.rules")}
        assert all(name.startswith(family + "_") for name in foreign), (path, foreign)
