"""What rules have at hand to say what they found."""

import pytest

from mcpsniff.rules.rule import quote


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (None, "null"),
        (True, "true"),
        (False, "false"),
        ("None", "None"),
        (1.5, "1.5"),
        ("a\nb", r"a\nb"),
        ("\x1b[31m", r"\x1b[31m"),
        ("\ud800", r"\ud800"),
        ("x" * 81, "x" * 79 + "…"),
    ],
)
def test_quoted_values_are_plain(value, shown):
    """JSON's words for null and booleans, control characters escaped, long text cut."""
    assert quote(value) == shown
