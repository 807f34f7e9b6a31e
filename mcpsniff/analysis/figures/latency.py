"""How long an answer took."""

from __future__ import annotations

from mcpsniff.protocol.calls import Call
from mcpsniff.protocol.message import Message

from .histogram import Lasted, bucket_of


def latency(call: Call, answer: Message) -> float | None:
    """Gives the seconds between a request and its answer; None where an import does not say when the answer came."""
    untimed = answer.exchange is not None and answer.exchange.untimed
    return None if untimed else answer.at - call.started


def lasting(call: Call, answer: Message) -> Lasted:
    """Gives the same together with its bucket."""
    seconds = latency(call, answer)
    return seconds, 0 if seconds is None else bucket_of(seconds)
