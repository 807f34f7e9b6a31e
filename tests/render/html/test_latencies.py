"""What the page's plots of latency draw is what pandas makes of the frame of calls."""

from pathlib import Path

import pytest

from mcpsniff import frames
from mcpsniff.analysis.timeline import read_whole
from mcpsniff.render.html.latencies import latencies

CALLS = Path(__file__).parents[3] / "samples/captures/modern/calls-stdio.jsonl"


def test_numbers_are_those_of_the_frame():
    """Quantiles by method and by tool; in the bins there is each answer once."""
    calls = frames.read(str(CALLS)).calls
    drawn = {(one["method"], one["name"]): one for one in latencies(read_whole(str(CALLS))[2])}
    by_method = calls.dropna(subset=["latency"]).groupby("method").latency
    assert {method for method, name in drawn if name is None} == set(by_method.groups)
    for (method, name), one in drawn.items():
        took = calls[(calls.method == method) & (name is None or calls.name == name)].latency.dropna()
        assert [one["median"], one["p90"], one["p99"]] == pytest.approx(took.quantile([0.5, 0.9, 0.99]).tolist())
        assert one["answers"] == sum(one["bins"]) == len(took)
    assert ("tools/call", "echo") in drawn


def test_nothing_is_drawn_of_nothing():
    """A capture without rows."""
    assert latencies([]) == []
