"""What HTTP adds to the JSON: exchanges, heads, event-stream framing, connections, status codes."""

from __future__ import annotations

from collections import Counter
from typing import Any

from mcpsniff.protocol.bounded import BoundedDict
from mcpsniff.protocol.exchange import HttpExchange
from mcpsniff.protocol.session import Session

CONNECTION_CAP = 100_000


class Exchanges:
    """The HTTP exchanges of one session."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._count = 0
        self._heads: int | None = 0
        self._framing = 0
        self._connections: BoundedDict[str, None] = BoundedDict("connections", CONNECTION_CAP, session.dropped)
        self._status = Counter[int]()
        self.goodbye: int | None = None  # record of the client's DELETE

    def framing(self, size: int) -> None:
        """Counts bytes of an event stream that are no JSON."""
        self._framing += size

    def exchange(self, exchange: HttpExchange) -> None:
        """Takes in the end of an exchange."""
        self._count += 1
        self._connections[exchange.conn] = None
        self._add_heads(exchange)
        if exchange.status is not None:
            self._status[exchange.status] += 1
        if exchange.method == "DELETE":
            self.goodbye = exchange.seq

    def _add_heads(self, exchange: HttpExchange) -> None:
        reply = 0 if exchange.status is None else exchange.reply_head
        if self._heads is None or exchange.request_head is None or reply is None:
            self._heads = None  # one unknown head makes the sum unknown
        else:
            self._heads += exchange.request_head + reply

    def result(self) -> dict[str, Any] | None:
        """Gives `http`."""
        if self._session.process is not None:
            return None
        return {
            "exchanges": self._count,
            "head_bytes": self._heads,
            "framing_bytes": self._framing,
            "connections": None if "" in self._connections else len(self._connections),  # "": not known on which
            "status": {str(code): n for code, n in sorted(self._status.items())},
        }
