"""What may look on while a capture is analyzed: it is told what the engine has anyway, and changes nothing."""

from __future__ import annotations

from typing import Protocol

from mcpsniff.capture import records as rec
from mcpsniff.protocol.calls import Call
from mcpsniff.protocol.exchange import HttpExchange
from mcpsniff.protocol.message import Message
from mcpsniff.protocol.session import Session
from mcpsniff.rules.rule import Draft


class Observer(Protocol):
    """One that looks on."""

    def record(self, record: rec.Record) -> None:
        """Is told of every record before it is taken in."""

    def exchange(self, exchange: HttpExchange) -> None:
        """Is told of every HTTP exchange when its request head comes."""

    def session(self, session: Session) -> None:
        """Is told of every session when it begins."""

    def message(self, session: Session, message: Message, call: Call | None) -> None:
        """Is told of every message (a batch, then its elements) after its session took it in."""

    def draft(self, session: Session, draft: Draft) -> None:
        """Is told of every finding that a rule drafts, before the era of its exchange need be known."""
