"""Captured text made safe to show."""

from hypothesis import given
from hypothesis import strategies as st

from mcpsniff.wire.visible import excerpt, visible


def test_what_drives_a_terminal_is_escaped():
    """ESC, C1 controls, line ends, marks of direction, unpaired surrogates; letters of any script stay."""
    assert visible("\x1b[2J\x9b\r\n\u202e\ud800é漢") == r"\x1b[2J\x9b\r\n\u202e\ud800é漢"


@given(st.text(st.characters()))
def test_the_result_is_printable_whatever_comes(text):
    """No character that is not printable is left, and printable text is not touched."""
    assert visible(text).isprintable()
    assert not text.isprintable() or visible(text) == text


@given(st.binary(max_size=60), st.integers(1, 30))
def test_an_excerpt_is_printable_and_says_when_it_is_cut(data, limit):
    """Any bytes; the ellipsis stands exactly where something is left out."""
    shown = excerpt(data, limit)
    assert shown.isprintable()
    if len(data) > limit:
        assert shown.endswith("…")
    else:
        assert shown == visible(data.decode("utf-8", "backslashreplace"))


def test_bytes_that_are_not_utf8_are_escaped():
    """They are seen as what they are."""
    assert excerpt(b"a\xffb", 10) == r"a\xffb"
