"""What the documentation shows is what the program does."""

import importlib.util
import json
import re
import shlex
from pathlib import Path

import pytest

from mcpsniff.wrap.options import parse

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text()


def test_generated_documents_are_fresh() -> None:
    """README's outputs, the pages of the rules and the help texts equal what docs/make.py writes today."""
    spec = importlib.util.spec_from_file_location("make", ROOT / "docs/make.py")
    assert spec is not None
    assert spec.loader is not None
    make = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(make)
    assert make.stale() == []


@pytest.mark.parametrize("block", re.findall(r"```json\n(.*?)```", README, flags=re.DOTALL))
def test_client_configurations_start_wrap(block: str) -> None:
    """Each configuration is JSON whose arguments wrap takes on its fast path, the server's command whole."""
    (servers,) = json.loads(block).values()
    (server,) = servers.values()
    assert server["command"] == "mcpsniff"
    settings = parse(server["args"][1:])
    assert settings is not None
    assert settings.command == ["uvx", "mcp-server-time"]


def test_both_set_up_commands_stand_in_the_readme() -> None:
    """One command runs the main job, one the tests, and CI calls the second."""
    shown = re.findall(r"```sh\n(pip install uv && .*?)\n```", README)
    assert shown == ["pip install uv && uv run mcpsniff demo", "pip install uv && uv run pytest"]
    ci = (ROOT / ".ci/run").read_text()
    assert shlex.split(shown[1])[-3:] == ["uv", "run", "pytest"]
    assert "\nuv run pytest\n" in ci


def test_the_page_of_frames_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    """From the first block to the last, in one namespace, as in a notebook; the last line is what it shows."""
    monkeypatch.chdir(ROOT)
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / "docs/frames.md").read_text(), flags=re.DOTALL)
    cells: dict[str, object] = {}
    for block in blocks:
        *before, last = block.strip().splitlines()
        exec("\n".join(before), cells)
        cells["shown"] = eval(last.partition("#")[0], cells) if not last.startswith("assert") else exec(last, cells)
    assert cells["shown"] == 14 - 17  # messages of the tour, modern and legacy
