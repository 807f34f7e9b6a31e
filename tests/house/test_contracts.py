"""The house keeps its own rules: import contracts, versions that agree, no paths and hosts in the tree."""

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
