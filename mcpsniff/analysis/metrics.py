"""What a session cost: messages, round trips, bytes, latency (REPORT.md). Filled while the capture is read.

A facade: each subject has a file of its own in figures/.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mcpsniff.protocol.calls import Call
from mcpsniff.protocol.exchange import HttpExchange
from mcpsniff.protocol.message import CLIENT, SERVER, Kind, Message
from mcpsniff.protocol.session import Session
from mcpsniff.rules.rule import Text

from .figures.calls import CallFigures
from .figures.counts import Counts
from .figures.envelope import Envelope
from .figures.exchanges import Exchanges
from .figures.latency import lasting
from .figures.memory import MEMORABLE, ServerMemory
from .figures.methods import Methods
from .figures.parties import Parties
from .figures.roundtrips import RoundTrips
from .figures.shutdown import shutdown
from .figures.sizes import claims_json, size_of


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

        self._told: dict[tuple[Kind, str], Callable[[Message, Any], None]] = {
            (Kind.REQUEST, CLIENT): self._request,
            (Kind.REQUEST, SERVER): self._request_of_server,
            (Kind.NOTIFICATION, CLIENT): self._notification,
            (Kind.NOTIFICATION, SERVER): self._notification,
            (Kind.RESULT, SERVER): self._result,
            (Kind.ERROR, SERVER): self._answer,
            (Kind.RESULT, CLIENT): self._answer_of_client,
            (Kind.ERROR, CLIENT): self._answer_of_client,
        }
        self.line = self._counts.sent  # counts one stdio line, message or noise, of so many bytes by its sender

    def body(self, message: Message) -> None:
        """Counts the bytes of one JSON value of an HTTP body or event, and the framing around it."""
        self._counts.sent(message.sender, size_of(message))
        self._exchanges.framing(message.size - size_of(message))

    def message(self, message: Message, call: Call | None) -> None:
        """Counts one message, after the session took it in."""
        self._counts.message(message)
        told = self._told.get((message.kind, message.sender))
        if told is not None:
            told(message, call)

    def _request(self, message: Message, call: Call) -> None:
        self._envelope.request(message)
        self._parties.request(message)
        self._trips.request(call)
        self._calls.request(message, call)
        self._methods.request(message, call)

    def _request_of_server(self, message: Message, call: Call) -> None:
        self._methods.request(message, call)
        self._memory.request(message, call)

    def _notification(self, message: Message, call: Call | None) -> None:
        self._methods.notified(message)
        self._calls.notified(message, call)
        if message.method in MEMORABLE:
            self._memory.notified(message, call)

    def _result(self, message: Message, call: Call | None) -> None:
        self._envelope.answer(message)
        self._answer(message, call)

    def _answer(self, message: Message, call: Call | None) -> None:
        if call is not None:
            lasted = lasting(call, message)
            self._parties.answer(message, call)
            self._trips.answer(message, call)
            self._calls.answer(message, call, lasted)
            self._methods.answer(message, call, lasted)
            self._memory.answer(message, call)

    def _answer_of_client(self, message: Message, call: Call | None) -> None:
        if call is not None:
            self._methods.answer(message, call, lasting(call, message))
            self._memory.answered(message, call)

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
