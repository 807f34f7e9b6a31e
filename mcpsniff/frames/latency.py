"""The frame of latencies: one row for each method, and one for each tool, that was answered in a session."""

from __future__ import annotations

import numpy as np
import pandas as pd

from mcpsniff.analysis.figures.calls import CALL
from mcpsniff.protocol.message import CLIENT

from .columns import COUNT, LIST, NUMBER, TEXT

BINS = 30
FINEST = 1e-6  # seconds: the clock's microsecond

COLUMNS = {
    "session": TEXT,
    "sender": TEXT,  # of the requests
    "method": TEXT,
    "name": TEXT,  # the tool; missing where all calls of the method are meant
    "answers": COUNT,
    "median": NUMBER,  # seconds
    "p90": NUMBER,
    "p99": NUMBER,
    "least": NUMBER,  # seconds, of all answers of the session: where the first bin begins
    "most": NUMBER,  # likewise: where the last one ends
    "bins": LIST,  # how many answers each of BINS holds, from least to most by equal ratios
}
BY = ["session", "sender", "method", "name"]


def latencies(calls: pd.DataFrame) -> pd.DataFrame:
    """Gives how long answers took, from the frame of calls; in the order in which methods and tools came up."""
    timed = _binned(calls.dropna(subset=["session", "latency"]))
    of_tools = timed[(timed.method == CALL) & (timed.sender == CLIENT) & timed.name.notna()]
    groups = pd.concat([timed.assign(name=None), of_tools]).groupby(BY, dropna=False, sort=False)
    took = groups.latency
    out = pd.DataFrame(
        {
            "answers": took.size(),
            **{name: took.quantile(share) for name, share in (("median", 0.5), ("p90", 0.9), ("p99", 0.99))},
            **{name: groups[name].first() for name in ("least", "most")},
            "bins": groups.bin.agg(lambda bins: np.bincount(bins, minlength=BINS).tolist()),
        }
    )
    return out.reset_index().astype(COLUMNS)[list(COLUMNS)]


def _binned(calls: pd.DataFrame) -> pd.DataFrame:
    """Gives calls with `least` and `most` of their session, and the bin of each; a clock set back took no time."""
    timed = calls.assign(latency=calls.latency.clip(lower=0).astype(float))
    least = timed.latency.where(timed.latency > 0).groupby(timed.session).transform("min").clip(lower=FINEST)
    most = timed.latency.groupby(timed.session).transform("max").clip(lower=least * 1.01)
    share = np.log(timed.latency.clip(lower=least) / least) / np.log(most / least)
    known = timed.assign(least=least, most=most, share=share).dropna(subset=["share"])  # no answer took any time
    return known.assign(bin=(known.share * (BINS - 1)).round().astype(int))
