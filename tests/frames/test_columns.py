"""Frames have their columns, whatever comes."""

from mcpsniff.frames.columns import COUNT, FLAG, LIST, NUMBER, TEXT, frame

COLUMNS = {"a": TEXT, "b": COUNT, "c": NUMBER, "d": FLAG, "e": LIST}


def test_what_is_not_known_is_missing():
    """In every type; numbers stay what they are."""
    made = frame(COLUMNS, [("x", 1, 0.5, True, [1]), (None,) * 5])
    assert made.isna().sum(axis=1).tolist() == [0, 5]
    assert made.iloc[0].tolist() == ["x", 1, 0.5, True, [1]]


def test_large_numbers_stay_exact():
    """2**53 + 1 is no double."""
    assert frame({"b": COUNT}, [(2**53 + 1,), (None,)]).b[0] == 2**53 + 1
