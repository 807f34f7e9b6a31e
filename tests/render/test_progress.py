"""The progress bar: seen where it helps, silent elsewhere."""

from io import StringIO

import pytest

from mcpsniff.render.progress import LONG, Progress


class Terminal(StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def played(out, total):
    """What a bar over `total` bytes in two files writes."""
    with Progress(total, out) as progress:
        progress.moved(total // 2)
        progress.next()
        progress.moved(total // 4)
        progress.say("no \x1b[2J capture")
        progress.next()
    return out.getvalue()


def test_long_input_on_a_terminal_shows_a_bar(monkeypatch):
    """The bar names what it does; what is said meanwhile is escaped."""
    monkeypatch.setenv("TERM", "xterm")
    shown = played(Terminal(), LONG)
    assert "reading" in shown
    assert r"mcpsniff: no \x1b[2J capture" in shown


@pytest.mark.parametrize(("out", "total"), [(Terminal(), LONG - 1), (StringIO(), LONG * 9)])
def test_short_input_or_no_terminal_shows_none(out, total):
    """Only what is said appears."""
    assert played(out, total) == "mcpsniff: no \\x1b[2J capture\n"
