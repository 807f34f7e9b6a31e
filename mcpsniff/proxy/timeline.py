"""What the addon leaves in a flow's metadata, so that a flow which mitmproxy saves is imported as it was captured.

Written when an exchange ends, read by `saved`. Plain data that mitmproxy's files can hold.
"""

from typing import Any, NamedTuple

from mitmproxy import http

PIECES = "mcpsniff_pieces"  # [seconds since the epoch, bytes] of each piece of the restored response
TIMES = "mcpsniff_times"  # seconds since the epoch, by the names in `Timeline`
END = "mcpsniff_end"  # `by` and `why` of the close record

Pieces = list[list[float | int]]


class Timeline(NamedTuple):
    """When what of an exchange was seen, seconds since the epoch; None for what never came."""

    asked: float  # the request's head
    ended: float
    sent: float | None = None  # the request's body
    answered: float | None = None  # the response's head


def leave(flow: http.HTTPFlow, timeline: Timeline, by: str, why: str) -> None:
    """Notes in a flow when its exchange was seen and how it ended."""
    flow.metadata[TIMES] = {name: at for name, at in timeline._asdict().items() if at is not None}
    flow.metadata[END] = [by, why]


def of(flow: http.HTTPFlow) -> tuple[Timeline, str, str] | None:
    """The timeline of a saved flow, `by` and `why`; None where the addon has left none, or no whole one."""
    times: Any = flow.metadata.get(TIMES)
    end: Any = flow.metadata.get(END)
    try:
        by, why = end
        timeline = Timeline(**{name: float(at) for name, at in times.items()})
    except (TypeError, ValueError, AttributeError):
        return None
    return timeline, str(by), str(why)


def pieces(flow: http.HTTPFlow) -> Pieces | None:
    """When each piece of a saved response's body came; None where that is not known of the whole body."""
    found: Any = flow.metadata.get(PIECES)
    body = flow.response.raw_content if flow.response is not None else None
    try:
        sized = [[float(at), int(size)] for at, size in found]
    except (TypeError, ValueError):
        return None
    return sized if sum(int(size) for _, size in sized) == len(body or b"") else None
