"""The engine of those who want rows and findings alone: it keeps no figures and no beginnings of records.

Its result is whole but for these: a report cannot be made of it.
"""

from __future__ import annotations

from mcpsniff.capture import records as rec
from mcpsniff.protocol.calls import Call
from mcpsniff.protocol.exchange import HttpExchange
from mcpsniff.protocol.message import Message
from mcpsniff.protocol.servers import ServerFacts
from mcpsniff.protocol.session import Session
from mcpsniff.rules.rule import Text
from mcpsniff.rules.selection import Selection

from .engine import Engine
from .metrics import Metrics
from .observer import Observer


class UncountedEngine(Engine):
    """Takes the records of one capture in order, for an observer."""

    def __init__(self, header: rec.Capture, selection: Selection, observer: Observer, before: int = 0) -> None:
        """`before`: how many sessions earlier captures had."""
        super().__init__(header, selection, observer, before)
        self._excerpting = False

    def _new_session(self, transport: str, server: ServerFacts, from_start: bool) -> Session:
        session = super()._new_session(transport, server, from_start)
        self._conversation_of(session).metrics = _Uncounted()
        return session


class _Uncounted(Metrics):
    """Is told of everything and keeps nothing."""

    def __init__(self) -> None: ...

    def line(self, sender: str, size: int) -> None: ...

    def body(self, message: Message) -> None: ...

    def message(self, message: Message, call: Call | None) -> None: ...

    def text(self, text: Text) -> None: ...

    def sse(self, size: int) -> None: ...

    def reply(self, exchange: HttpExchange) -> None: ...

    def exchange(self, exchange: HttpExchange) -> None: ...
