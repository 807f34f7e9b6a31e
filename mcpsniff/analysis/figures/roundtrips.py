"""Round trips: before the first real request, and in all.

A round trip is a group of client requests that overlap in time and got an answer. Listen streams and answers to server
requests are none.
"""

from __future__ import annotations

from collections import deque
from typing import Any

from mcpsniff.protocol.bounded import Drops
from mcpsniff.protocol.calls import Call
from mcpsniff.protocol.exchange import HttpExchange
from mcpsniff.protocol.message import Message
from mcpsniff.protocol.revisions import NOT_WORK
from mcpsniff.protocol.session import Session

OPENING_CAP = 1_000  # requests kept that came before the first real one
GROUP_CAP = 10_000  # latest groups that a slow answer may still join


class RoundTrips:
    """The round trips of one session."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._opening: list[Call] = []
        self._before: int | None = None
        self._begun = False  # the first real request was sent
        self._groups = _Groups(session.dropped)

    def answer(self, message: Message, call: Call) -> None:
        """Takes in what the server answers."""
        if call.method != "subscriptions/listen":
            self._groups.add(call.seq, message.seq)

    def request(self, call: Call) -> None:
        """Takes in one request of the client."""
        if self._begun:
            return
        if call.method not in NOT_WORK:
            self._begun = True
            self._before = sum(map(_answered, self._opening)) if self._session.whole else None
            self._opening.clear()
        elif len(self._opening) < OPENING_CAP:
            self._opening.append(call)
        else:
            self._session.dropped.forget("requests before the first real one", OPENING_CAP)

    def reply(self, exchange: HttpExchange) -> None:
        """Takes in a response head: an HTTP error status answers what it refuses, whatever its body."""
        if exchange.failed and exchange.reply_seq is not None:
            for call in exchange.calls.values():
                if call.method != "subscriptions/listen":
                    self._groups.add(call.seq, exchange.reply_seq)

    def result(self) -> dict[str, Any]:
        """Gives `round_trips`."""
        return {"before_first_call": self._before, "total": self._groups.count}


def _answered(call: Call) -> bool:
    return call.answer_seq is not None or (call.exchange is not None and call.exchange.failed)


class _Groups:
    """Spans from request to answer, overlapping ones joined; fed in the order of the answers."""

    def __init__(self, drops: Drops) -> None:
        self._drops = drops
        self._settled = 0  # groups that are no longer kept
        self._horizon = -1  # record at which the last of them ended
        self._spans: deque[tuple[int, int]] = deque()

    @property
    def count(self) -> int:
        return self._settled + len(self._spans)

    def add(self, start: int, end: int) -> None:
        """Joins one span with all groups that it overlaps."""
        while self._spans and self._spans[-1][1] > start:
            start = min(start, self._spans.pop()[0])
        self._spans.append((start, end))
        if start < self._horizon:
            self._drops.forget("round trips that a late answer may join", GROUP_CAP)
        if len(self._spans) > GROUP_CAP:
            self._horizon = self._spans.popleft()[1]
            self._settled += 1
