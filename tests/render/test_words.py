"""Numbers in words."""

import pytest

from mcpsniff.render.words import amount, count, duration


def test_count_has_a_plural():
    """One is one, all else are many."""
    assert [count(n, "message") for n in (0, 1, 2000)] == ["0 messages", "1 message", "2,000 messages"]


@pytest.mark.parametrize(("value", "shown"), [(None, "–"), (3, "3"), (3.0, "3"), (1234.56, "1,234.6")])
def test_amount_has_no_needless_decimals(value, shown):
    """A number as a person writes it; a dash where it is not known."""
    assert amount(value) == shown


@pytest.mark.parametrize(
    ("ms", "shown"), [(None, "–"), (0.05, "0.1 ms"), (9.94, "9.9 ms"), (10, "10 ms"), (999, "999 ms"), (1500, "1.50 s")]
)
def test_duration_is_as_exact_as_it_is_long(ms, shown):
    """Tenths of a millisecond below ten, seconds from a thousand on."""
    assert duration(ms) == shown
