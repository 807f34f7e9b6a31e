"""The grammar of `_meta` keys and extension identifiers."""

import pytest

from mcpsniff.protocol.keys import KEY, PREFIXED, Labels, prefix_of

GOOD = ["a", "a_b.c-d", "com.example/x", "com.example/", "x/1", "a-1.b2/n", ""]
BAD = ["_a", "a_", "-", "com.example./x", ".com/x", "1com/x", "com-/x", "a/b/c", "com..x/y", "a b", "é", "/x"]


@pytest.mark.parametrize("key", GOOD)
def test_names_of_the_right_form(key):
    """A prefix may be missing, and so may the name."""
    assert KEY.fullmatch(key)
    assert bool(PREFIXED.fullmatch(key)) is ("/" in key)


@pytest.mark.parametrize("key", BAD)
def test_names_of_the_wrong_form(key):
    """Labels begin with a letter and end with a letter or digit, names begin and end with one of these."""
    assert not KEY.fullmatch(key)
    assert not PREFIXED.fullmatch(key)


def test_prefix_is_told_label_by_label():
    """What has no slash has no prefix."""
    assert prefix_of("com.example/x") == ["com", "example"]
    assert prefix_of("com.example") == []


def test_labels_have_room_for_some():
    """The first names stay apart, however often they come; later ones share one label."""
    labels = Labels(room=2)
    assert [labels.of(name) for name in "abacb"] == ["a", "b", "a", "", "b"]
