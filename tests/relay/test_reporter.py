"""The recorder reports where the capture lies, the first thing that is wrong, and lines that nobody need read."""

import os

import pytest

from mcpsniff.relay import Keeping
from mcpsniff.relay.reporter import Reporter


@pytest.fixture
def reporter(pipe):
    """A reporter, and what reads all that it has said so far."""
    source, target = pipe()
    os.set_blocking(source, False)

    def said():
        try:
            return os.read(source, 1 << 20).decode()
        except BlockingIOError:
            return ""

    return Reporter(target), said


def test_where_the_capture_lies(reporter, tmp_path):
    """The path that it really has."""
    reports, said = reporter
    (tmp_path / "c.jsonl").touch()
    assert reports.open(lambda t: str(tmp_path / "c.jsonl"), {"id": "x"}, Keeping(), pid=7) is not None
    assert said() == f"+{tmp_path}/c-7.jsonl\n"


@pytest.mark.parametrize(("path", "why"), [("/dev/null/c", "Not a directory"), ("a\0b", "embedded null")])
def test_a_capture_that_cannot_be_opened(reporter, path, why):
    """One sentence with the system's reason."""
    reports, said = reporter
    assert reports.open(lambda t: path, {"id": "x"}, Keeping(), pid=7) is None
    text = said()
    assert text.startswith(f"-cannot write the capture {path!r}: ")
    assert why in text


def test_only_the_first_trouble_is_told(reporter):
    """Some clients take each line on stderr for a failure."""
    reports, said = reporter
    reports.trouble("one")
    reports.trouble("two")
    assert said() == "-one\n"


def test_lines_do_not_wait(reporter):
    """With nobody reading the pipe fills up, and what finds no room in it is dropped whole."""
    reports, said = reporter
    for _ in range(1000):
        reports.line("x" * 3000)
    lines = said().splitlines()
    assert 1 <= len(lines) < 1000
    assert set(lines) == {"=" + "x" * 1000}
