"""The header of wrap's captures, and where they lie."""

import os
import re
import time

import pytest

from mcpsniff import __version__
from mcpsniff.wire.redact import Redactor
from mcpsniff.wrap.heading import header, place, server_name
from mcpsniff.wrap.options import Settings


@pytest.mark.parametrize(
    ("command", "name"),
    [
        (["/usr/bin/my-server", "--flag"], "my-server"),
        (["python3.11", "-u", "srv/server.py", "x"], "server.py"),
        (["npx", "-y", "@scope/server-files", "/data"], "server-files"),
        (["uv", "run", "--quiet", "mcp-server-time"], "mcp-server-time"),
        (["uvx", "mcp-server-time"], "mcp-server-time"),
        (["python", "-"], "python"),
        (["node"], "node"),
        (["./"], ""),
    ],
)
def test_the_servers_name(command, name):
    """A launcher gives its name to what it launches."""
    assert server_name(command) == name


def test_the_header(tmp_path, monkeypatch):
    """It says who wrote when, where, and around which command; `started` is UTC with microseconds."""
    monkeypatch.chdir(tmp_path)
    fields = header(
        Settings(["srv", "--token", "abc", "\udcff"], redact=["/a"]), Redactor(b"salt"), 1_000_000_000.25, 77
    )
    assert re.fullmatch(r"[0-9a-f]{20}", fields.pop("id"))
    assert re.fullmatch(r"srv --token ‹redacted:[0-9a-f]{8}:3› \ufffd", " ".join(fields.pop("command")))
    system = os.uname()
    assert fields == {
        "started": "2001-09-09T01:46:40.250000Z",
        "tool": f"mcpsniff {__version__}",
        "transport": "stdio",
        "cwd": str(tmp_path),
        "pid": 77,
        "platform": f"{system.sysname} {system.release} {system.machine}",
        "redacted": ["--token", "/a"],
    }


def test_what_is_unknown_is_left_out():
    """No pid, nothing redacted: no such fields."""
    assert {"pid", "redacted"}.isdisjoint(header(Settings(["srv"]), Redactor(b"salt"), 0, None))


def test_a_working_directory_that_is_gone(tmp_path, monkeypatch):
    """A removed working directory costs its field only."""
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    assert "cwd" not in header(Settings(["srv"]), Redactor(b"salt"), 0, None)
    monkeypatch.chdir(tmp_path)


def test_the_path_that_was_asked_for():
    """The pattern's codes are filled in with local time and the pid."""
    year = time.strftime("%Y", time.localtime(0))
    assert place(Settings(["srv"], write="a-%Y-%p.jsonl"), 0, 12) == f"a-{year}-12.jsonl"


def test_the_default_path_names_the_server():
    """The name, cleaned, the time and the pid of wrap."""
    stamp = time.strftime("%Y%m%d-%H%M%S", time.localtime(0))
    path = place(Settings(["npx", "a b"]), 0, 12)
    assert os.path.basename(path) == f"a-b-{stamp}-12.jsonl"
