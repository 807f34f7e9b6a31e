"""What stdout is taken for."""

import io
import sys

import pytest

from mcpsniff.commands.screen import colours, text, width


class Terminal(io.StringIO):
    """A stdout that is a terminal."""

    encoding = "ascii"

    def isatty(self) -> bool:
        return True


def test_pipe_has_no_width_and_no_colours(monkeypatch):
    """Whatever the environment says."""
    monkeypatch.setenv("COLUMNS", "70")
    monkeypatch.setattr(sys, "stdout", io.StringIO())
    assert (width(), colours()) == (None, False)


@pytest.mark.parametrize(
    ("environment", "coloured"),
    [({"TERM": "xterm"}, True), ({"TERM": "dumb"}, False), ({"TERM": "xterm", "NO_COLOR": "1"}, False)],
)
def test_terminal_has_its_width_and_the_colours_that_are_wished(monkeypatch, environment, coloured):
    """COLUMNS is the width; a dumb terminal and NO_COLOR are without colours."""
    for name, value in {"COLUMNS": "70", "NO_COLOR": "", **environment}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys, "stdout", Terminal())
    assert (width(), colours()) == (70, coloured)


def test_characters_that_stdout_has_not_are_escaped(monkeypatch):
    """Lines end with a line feed each."""
    monkeypatch.setattr(sys, "stdout", Terminal())
    assert text("a", "→") == b"a\n\\u2192\n"
