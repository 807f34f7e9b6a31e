"""The report for people, as a file."""

from mcpsniff.render.plain import render
from mcpsniff.render.terminal import text


def test_it_is_what_a_terminal_shows(findings):
    """The same text, in UTF-8."""
    assert render(findings).decode() == text(findings)
