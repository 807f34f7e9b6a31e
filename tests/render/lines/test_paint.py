"""Colours and widths."""

import pytest

from mcpsniff.render.lines.paint import columns, fitted, painted


@pytest.mark.parametrize(
    ("text", "width", "shown"),
    [("abc", 5, "abc  "), ("abcdef", 5, "abcd…"), ("東京", 5, "東京 "), ("東京都", 5, "東京…"), ("東京都", 4, "東 …")],
)
def test_fitted_text_has_its_width(text, width, shown):
    """Filled up or cut; wide characters take two columns and are not cut in half."""
    assert fitted(text, width) == shown
    assert columns(shown) == width


def test_colour_is_set_and_taken_back():
    """Only where there are colours, a style and text."""
    assert painted("x", "31", True) == "\x1b[31mx\x1b[0m"
    assert [painted("x", "31", False), painted("x", "", True), painted("", "31", True)] == ["x", "x", ""]
