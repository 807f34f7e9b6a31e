"""What a session cost: messages, round trips, bytes, latency (REPORT.md). Filled while the capture is read."""

from __future__ import annotations

from mcpsniff.protocol.calls import Call
from mcpsniff.protocol.exchange import HttpExchange
from mcpsniff.protocol.message import Message
from mcpsniff.protocol.session import Session
from mcpsniff.rules.rule import Text


class Metrics:
    """The figures of one session."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def line(self, sender: str, size: int) -> None:
        """Counts one stdio line of `size` bytes, message or noise."""

    def message(self, message: Message, call: Call | None) -> None:
        """Counts one message, after the session took it in."""

    def text(self, text: Text) -> None:
        """Counts bytes that are no message."""

    def sse(self, size: int) -> None:
        """Counts an SSE block without a message."""

    def exchange(self, exchange: HttpExchange) -> None:
        """Counts an HTTP exchange that ended."""
