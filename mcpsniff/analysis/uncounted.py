"""The figures of a session for those who want rows and findings alone: none."""

from __future__ import annotations

from mcpsniff.protocol.calls import Call
from mcpsniff.protocol.exchange import HttpExchange
from mcpsniff.protocol.message import Message
from mcpsniff.rules.rule import Text

from .metrics import Metrics


class Uncounted(Metrics):
    """Is told of everything and keeps nothing; a report cannot be made of it."""

    def __init__(self) -> None: ...

    def line(self, sender: str, size: int) -> None: ...

    def body(self, message: Message) -> None: ...

    def message(self, message: Message, call: Call | None) -> None: ...

    def text(self, text: Text) -> None: ...

    def sse(self, size: int) -> None: ...

    def reply(self, exchange: HttpExchange) -> None: ...

    def exchange(self, exchange: HttpExchange) -> None: ...
