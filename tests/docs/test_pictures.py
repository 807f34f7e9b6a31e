"""The pictures of the documentation: all there, all shown, none heavy."""

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PICTURES = {path.name: path for path in (ROOT / "docs/pictures").iterdir()}
HEAVY = 200_000  # bytes
SIGNATURE = b"\x89PNG\r\n\x1a\n"


def shown(document: str) -> set[str]:
    """The pictures that a document shows."""
    return set(re.findall(r"!\[[^\]]*\]\((?:docs/)?pictures/([^)]+)\)", (ROOT / document).read_text()))


def test_what_is_shown_is_there() -> None:
    """README shows the page and the terminal; with the documents every picture is shown, and is a small PNG."""
    assert shown("README.md") == {"page.png", "terminal.png"}
    assert shown("README.md") | shown("docs/page.md") == set(PICTURES)
    for path in PICTURES.values():
        data = path.read_bytes()
        assert data.startswith(SIGNATURE)
        assert len(data) < HEAVY, path


def test_the_script_makes_them_all() -> None:
    """Every picture is a view of docs/pictures.py, or its terminal."""
    tree = ast.parse((ROOT / "docs/pictures.py").read_text())
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "View"]
    views = {f"{ast.literal_eval(call.args[0])}.png" for call in calls}
    assert views | {"terminal.png"} == set(PICTURES)
