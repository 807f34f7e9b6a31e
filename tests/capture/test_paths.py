"""Names of capture files."""

import itertools
import sys
import time

import pytest

from mcpsniff.capture.paths import candidates, default_path, expand, numbered, unnumbered

NOW = time.struct_time((2026, 11, 29, 20, 5, 9, 6, 333, 0))


@pytest.mark.parametrize(
    ("pattern", "path"),
    [
        ("a.jsonl", "a.jsonl"),
        ("%Y-%m-%d/%H%M%S-%p.jsonl", "2026-11-29/200509-42.jsonl"),
        ("100%%-%%p-%%%p", "100%-%p-%42"),
        ("half%", "half%"),
        ("é/%p", "é/42"),
    ],
)
def test_patterns(pattern, path):
    """strftime's codes, the process id, and a percent sign."""
    assert expand(pattern, NOW, 42) == path


@pytest.mark.parametrize(
    ("path", "names"),
    [
        ("d.x/a.jsonl", ["d.x/a.jsonl", "d.x/a-7.jsonl", "d.x/a-7-2.jsonl", "d.x/a-7-3.jsonl"]),
        ("d.x/a", ["d.x/a", "d.x/a-7", "d.x/a-7-2", "d.x/a-7-3"]),
    ],
)
def test_names_beside_one_that_is_taken(path, names):
    """The process id goes before the suffix of the file name, not of a folder."""
    assert list(itertools.islice(candidates(path, 7), 4)) == names


@pytest.mark.parametrize("with_platformdirs", [True, False])
@pytest.mark.skipif(sys.platform != "linux", reason="asserts the XDG folder")
def test_the_default_is_in_the_state_folder(monkeypatch, with_platformdirs):
    """Named after server, time and process, in the same folder with and without platformdirs."""
    monkeypatch.setenv("XDG_STATE_HOME", "/state")
    if not with_platformdirs:
        monkeypatch.setitem(sys.modules, "platformdirs", None)
    assert default_path("server.py", NOW, 42) == "/state/mcpsniff/captures/server.py-20261129-200509-42.jsonl"


@pytest.mark.parametrize(
    ("name", "safe"),
    [
        ("@scope/server", "scope-server"),
        ("../../etc/x", "etc-x"),
        ("...", "capture"),
        ("", "capture"),
        ("é", "capture"),
    ],
)
def test_a_hostile_server_name_stays_a_file_name(monkeypatch, name, safe):
    """No slash, no leading point, never empty, never long."""
    monkeypatch.setenv("XDG_STATE_HOME", "/state")
    assert default_path(name, NOW, 1).rpartition("/")[2] == f"{safe}-20261129-200509-1.jsonl"
    assert len(default_path("x" * 300, NOW, 1).rpartition("/")[2]) == 60 + len("-20261129-200509-1.jsonl")


def test_the_numbers_of_parts():
    """They stand before the suffix, sort up to 99999, and can be taken off again."""
    names = [numbered("/a-1/s.jsonl", number) for number in (1, 9, 10, 99999)]
    assert names == ["/a-1/s-00001.jsonl", "/a-1/s-00009.jsonl", "/a-1/s-00010.jsonl", "/a-1/s-99999.jsonl"]
    assert names == sorted(names)
    assert {unnumbered(name) for name in (*names, numbered("/a-1/s.jsonl", 123456))} == {"/a-1/s.jsonl"}
    assert unnumbered("/a-00001/s-1.jsonl") == "/a-00001/s-1.jsonl"
