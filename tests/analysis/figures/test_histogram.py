"""Quantiles out of buckets: close enough, extremes exact, memory fixed."""

from hypothesis import given
from hypothesis import strategies as st

from mcpsniff.analysis.figures.histogram import FINEST, LONGEST, Histogram


def test_one_value_is_exact():
    """With one duration all quantiles are that duration."""
    one = Histogram()
    one.add(0.0123)
    assert one.in_ms() == {"p50": 12.3, "p90": 12.3, "p99": 12.3, "max": 12.3}


def test_nothing_is_not_zero():
    """Without durations there is no quantile."""
    assert Histogram().in_ms() == {"p50": None, "p90": None, "p99": None, "max": None}


def test_a_clock_set_back_and_an_endless_wait():
    """A negative duration counts as zero, one beyond the scale as the longest."""
    odd = Histogram()
    odd.add(-1.0)
    odd.add(float("inf"))
    assert (odd.quantile(0.5), odd.in_ms()["max"]) == (0.0, LONGEST * 1000)


@given(st.lists(st.floats(FINEST, 1e4), min_size=1, max_size=200), st.sampled_from([0.5, 0.9, 0.99]))
def test_quantiles_are_within_their_bucket(values, share):
    """The answer is at most 2.2 % off the value of that rank."""
    histogram = Histogram()
    for value in values:
        histogram.add(value)
    exact = sorted(values)[max(0, -int(-share * len(values) // 1) - 1)]
    assert abs(histogram.quantile(share) - exact) <= 0.0222 * exact
