"""What tools/call requests came to, in outcomes, bytes and milliseconds.

The outcomes are disjoint and add up to the count. A call that its client cancelled is cancelled, whatever came later;
one that HTTP refused with an error status is an error.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from mcpsniff.protocol.calls import Call, Outcome
from mcpsniff.protocol.exchange import HttpExchange
from mcpsniff.protocol.message import CLIENT, Message
from mcpsniff.protocol.session import Session

from .histogram import Histogram, Lasted
from .sizes import size_of

CALL = "tools/call"
OPENING = frozenset(("initialize", "server/discover", "notifications/initialized"))  # the fixed bytes of a session

_KEY = {
    Outcome.RESULT: "results",
    Outcome.ERROR: "errors",
    Outcome.TOOL_ERROR: "tool_errors",
    Outcome.INPUT_REQUIRED: "input_required",
}


class CallFigures:
    """The tool calls of one session, and the bytes that opened it."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._count = 0
        self._logical = 0
        self._outcomes = Counter[str]()
        self._answered = 0
        self._bytes = 0  # of answered calls: request and answer
        self._fixed = 0
        self._latency = Histogram()

    def request(self, message: Message, call: Call) -> None:
        """Takes in one request of the client."""
        if call.method == CALL:
            self._count += 1
            self._logical += call.leg is None
        elif call.method in OPENING:
            self._fixed += size_of(message)

    def notified(self, message: Message, call: Call | None) -> None:
        """Takes in one notification: it may have cancelled a call, or end the handshake."""
        method = message.method if call is None else call.method
        if method in OPENING and (message.sender == CLIENT or (call is not None and call.requester == CLIENT)):
            self._fixed += size_of(message)
        if call is not None and _is_tool_call(call):
            self._cancelled(call, message.seq)

    def answer(self, message: Message, call: Call, lasted: Lasted) -> None:
        """Takes in what the server answers; `lasted`: seconds since the request, and their bucket."""
        if call.method == CALL:
            self._answer(message, call, lasted)
        elif call.method in OPENING:
            self._fixed += size_of(message)

    def _cancelled(self, call: Call, seq: int | None) -> None:
        if seq is not None and call.cancelled_seq == seq and call.answer_seq is None:
            self._outcomes["cancelled"] += 1

    def _answer(self, message: Message, call: Call, lasted: Lasted) -> None:
        self._answered += 1
        self._bytes += size_of(call.request) + size_of(message)
        self._latency.add(*lasted)
        if call.cancelled_seq is None:
            self._outcomes[_KEY[call.outcome]] += 1

    def exchange(self, exchange: HttpExchange) -> None:
        """Takes in the end of an exchange: it may have cancelled or refused what was open."""
        for call in exchange.calls.values():
            if not _is_tool_call(call) or call.answer_seq is not None:
                continue
            if call.refused and exchange.failed:
                self._outcomes["errors"] += 1
            elif exchange.closed_seq is not None:
                self._cancelled(call, exchange.closed_seq)

    def result(self) -> dict[str, Any]:
        """Gives `calls`."""
        outcomes = {name: self._outcomes[name] for name in (*_KEY.values(), "cancelled")}
        return {
            "count": self._count,
            "logical": self._logical,
            **outcomes,
            "unanswered": self._count - sum(outcomes.values()),
            "bytes_per_call": self._bytes_per_call(),
            "latency_ms": self._latency.in_ms(),
        }

    def _bytes_per_call(self) -> dict[str, Any]:
        number = self._answered
        fixed = self._fixed if self._session.from_start else None
        return {
            "marginal": round(self._bytes / number, 2) if number else None,
            "fixed": fixed,
            "amortised": round((fixed + self._bytes) / number, 2) if number and fixed is not None else None,
        }


def _is_tool_call(call: Call) -> bool:
    return call.method == CALL and call.requester == CLIENT
