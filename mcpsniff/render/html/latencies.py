"""The numbers that the page's plots of latency draw, from the frames; pandas is loaded for the page alone."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from mcpsniff.analysis.row import Row


def latencies(rows: Iterable[Row]) -> list[dict[str, Any]]:
    """Gives the frame of latencies of one capture as data: seconds, None where a value is missing."""
    from mcpsniff.frames import latency
    from mcpsniff.frames.calls import calls

    found = latency.latencies(calls([("", rows)])).astype(object)
    known = found.where(found.notna(), None)
    return [{str(name): value for name, value in one.items()} for one in known.to_dict("records")]
