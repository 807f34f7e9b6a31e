"""What a session cost: messages, round trips, bytes, latency (REPORT.md). Filled while the capture is read.

A facade: each subject has a file of its own in figures/.
"""

from __future__ import annotations

from typing import Any

from mcpsniff.protocol.calls import Call
from mcpsniff.protocol.exchange import HttpExchange
from mcpsniff.protocol.message import Message
from mcpsniff.protocol.session import Session
from mcpsniff.rules.rule import Text

from .figures.calls import CallFigures
from .figures.counts import Counts
from .figures.envelope import Envelope
from .figures.exchanges import Exchanges
from .figures.histogram import Lasted, bucket_of
from .figures.latency import latency
from .figures.memory import ServerMemory
from .figures.methods import Methods
from .figures.parties import Parties
from .figures.roundtrips import RoundTrips
from .figures.shutdown import shutdown
from .figures.sizes import claims_json, size_of

_NOT_OVER: Lasted = (None, 0)


class Metrics:
    """The figures of one session."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._counts = Counts(session)
        self._parties = Parties(session)
        self._trips = RoundTrips(session)
        self._calls = CallFigures(session)
        self._envelope = Envelope()
        self._methods = Methods(session)
        self._memory = ServerMemory(session)
        self._exchanges = Exchanges(session)

    def line(self, sender: str, size: int) -> None:
        """Counts one stdio line of `size` bytes, message or noise."""
        self._counts.sent(sender, size)

    def body(self, message: Message) -> None:
        """Counts the bytes of one JSON value of an HTTP body or event, and the framing around it."""
        self._counts.sent(message.sender, size_of(message))
        self._exchanges.framing(message.size - size_of(message))

    def message(self, message: Message, call: Call | None) -> None:
        """Counts one message, after the session took it in."""
        lasted = _NOT_OVER
        if call is not None and call.answer_seq == message.seq:
            seconds = latency(call, message)
            lasted = seconds, 0 if seconds is None else bucket_of(seconds)
        self._counts.message(message)
        self._envelope.message(message)
        self._parties.message(message, call)
        self._trips.message(message, call)
        self._calls.message(message, call, lasted)
        self._methods.message(message, call, lasted)
        self._memory.message(message, call)

    def text(self, text: Text) -> None:
        """Counts a line, body or event that is not one JSON value."""
        self._counts.text()
        if text.exchange is not None and claims_json(text, text.exchange):
            self._counts.sent(text.sender, len(text.data))

    def sse(self, size: int) -> None:
        """Counts an SSE block without a message."""
        self._exchanges.framing(size)

    def reply(self, exchange: HttpExchange) -> None:
        """Takes in the head of an HTTP response."""
        self._trips.reply(exchange)

    def exchange(self, exchange: HttpExchange) -> None:
        """Counts an HTTP exchange that ended, after the session took it in."""
        for figures in (self._calls, self._methods, self._memory, self._exchanges):
            figures.exchange(exchange)

    def result(self) -> dict[str, Any]:
        """Gives the session's figures, by the keys of the report."""
        return {
            **self._parties.result(),
            "messages": self._counts.result(),
            "round_trips": self._trips.result(),
            "calls": self._calls.result(),
            "envelope": self._envelope.result(),
            "http": self._exchanges.result(),
            "methods": self._methods.methods(),
            "tools": self._methods.tools(),
            "tools_list_bytes": self._methods.tools_list_bytes(),
            "server_memory": self._memory.result(),
            "shutdown": shutdown(self._session, self._exchanges.goodbye),
        }
