"""Records of an HTTP capture → exchanges and the conversations they belong to."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from mcpsniff.protocol.encoding import recover
from mcpsniff.protocol.era import Mark, exchange_framing
from mcpsniff.protocol.exchange import HttpExchange
from mcpsniff.protocol.message import CLIENT, Kind, Message
from mcpsniff.protocol.session import Session
from mcpsniff.rules.rule import Text

from .conversation import Conversation
from .scope import HttpScope, second_initialize

TEXTS_KEPT = 4
TEXT_KEPT = 2_000  # characters


class HttpFeed:
    """Feeds exchanges; the engine gives it one record at a time."""

    def __init__(self, scope: HttpScope, conversation_of: Callable[[Session], Conversation]) -> None:
        self._scope = scope
        self._conversation_of = conversation_of
        self._exchanges: dict[str, HttpExchange] = {}
        self._held: dict[str, list[Message]] = {}  # a second initialize whose session its answer decides
        self._events: dict[str, set[str]] = {}  # event ids seen, by session key

    # request side

    def request(self, exchange: HttpExchange) -> None:
        """Takes in a request head."""
        self._exchanges[exchange.x] = exchange
        if _shows_mcp(exchange) or self._scope.knows(exchange):
            self._assign(exchange, self._scope.session_of(exchange))

    def _assign(self, exchange: HttpExchange, session: Session) -> None:
        exchange.session = session
        era = session.era
        era.note_head(exchange)
        exchange.mark = Mark(exchange_framing(exchange), era, exchange.seq, exchange.version)

    def message(self, x: str, message: Message, sse: Mapping[str, Any] | None) -> None:
        """Takes in a message of a body or of an SSE event."""
        exchange = self._exchanges.get(x)
        if exchange is None:
            return
        message.exchange, message.sse = exchange, sse
        if exchange.session is None:
            self._assign(exchange, self._scope.session_of(exchange))
        if message.sender == CLIENT:
            self._from_client(exchange, message)
        else:
            self._from_server(exchange, message, sse)

    def _from_client(self, exchange: HttpExchange, message: Message) -> None:
        exchange.messages.append(message)
        if message.kind is Kind.REQUEST and second_initialize(exchange, message, exchange.session):
            self._held.setdefault(exchange.x, []).append(message)
            return
        self._feed(exchange, message)

    def _feed(self, exchange: HttpExchange, message: Message) -> None:
        conversation = self._conversation_of(exchange.session)
        conversation.metrics.body(message)
        conversation.message(message)
        if message.kind is Kind.REQUEST and message.sender == CLIENT:
            exchange.mark = message.mark

    def _release(self, exchange: HttpExchange) -> None:
        """Lets a held initialize go, into a new session where the answer named another one."""
        held = self._held.pop(exchange.x, ())
        if not held:
            return
        given = exchange.reply_header("mcp-session-id")
        if given is not None and given != exchange.session.session_id:
            self._assign(exchange, self._scope.reopen(exchange))
        for message in held:
            self._feed(exchange, message)

    # response side

    def _from_server(self, exchange: HttpExchange, message: Message, sse: Mapping[str, Any] | None) -> None:
        message.replayed = self._is_replay(exchange, sse)
        conversation = self._conversation_of(exchange.session)
        conversation.metrics.body(message)
        exchange.reply_messages += 1
        if message.replayed:
            return
        conversation.message(message)
        if message.kind in (Kind.RESULT, Kind.ERROR):
            exchange.answered += 1
            exchange.final = message

    def _is_replay(self, exchange: HttpExchange, sse: Mapping[str, Any] | None) -> bool:
        """Whether a resumed stream delivers an event again (trap T7)."""
        event = (sse or {}).get("id")
        if not isinstance(event, str) or not event:
            return False
        seen = self._events.setdefault(exchange.session.key, set())
        known = event in seen
        seen.add(event)
        return known and exchange.header("last-event-id") is not None

    def response(self, record: Any) -> None:
        """Takes in a response head."""
        exchange = self._exchanges.get(record.x)
        if exchange is None:
            return
        exchange.reply_seq, exchange.reply_at = record.seq, record.t
        exchange.status, exchange.reply_head = record.status, record.head_size
        exchange.reply_headers = [(name, value) for name, value in record.headers]
        if exchange.session is None:
            return
        self._release(exchange)
        self._scope.name(exchange, exchange.session)
        conversation = self._conversation_of(exchange.session)
        conversation.metrics.reply(exchange)
        conversation.emit("on_reply", None, exchange)

    def text(self, x: str, text: Text) -> None:
        """Takes in a body that is no message."""
        exchange = self._exchanges.get(x)
        if exchange is None:
            return
        text.exchange = exchange
        if len(exchange.texts) < TEXTS_KEPT:
            exchange.texts.append((text.sender, text.seq, text.text[:TEXT_KEPT]))
        if exchange.session is None:
            return
        text.mark = exchange.mark
        conversation = self._conversation_of(exchange.session)
        conversation.metrics.text(text)
        conversation.emit("on_text", None, text)
        self._recover(x, text)

    def _recover(self, x: str, text: Text) -> None:
        """Goes on with the message that wrongly encoded bytes were meant to be."""
        recovered = recover(text.data)
        if recovered is None:
            self._conversation_of(text.exchange.session).unreadable(text)  # type: ignore[union-attr]
            return
        message = Message(recovered, text.sender, text.seq, text.at, text.size)
        message.recovered = True
        self.message(x, message, text.sse)

    def sse(self, x: str, block: Any) -> None:
        """Takes in an SSE block without a message."""
        exchange = self._exchanges.get(x)
        if exchange is None:
            return
        if block.event == "endpoint" and block.data:
            if exchange.session is None:
                self._assign(exchange, self._scope.session_of(exchange))
            exchange.session.transport = "http+sse"
            self._scope.endpoint(exchange, exchange.session, block.data)
        if exchange.session is not None:
            conversation = self._conversation_of(exchange.session)
            conversation.metrics.sse(block.size)
            conversation.emit("on_sse", None, block, exchange)

    def close(self, x: str, seq: int, at: float, record: Any) -> None:
        """Takes in the end of an exchange."""
        exchange = self._exchanges.pop(x, None)
        if exchange is None:
            return
        exchange.closed_seq, exchange.closed_at = seq, at
        exchange.closed_by, exchange.closed_why = record.by, record.why
        exchange.error, exchange.body_size = record.error, record.body_size
        self._end(exchange)

    def _end(self, exchange: HttpExchange) -> None:
        if exchange.session is None:
            return
        self._release(exchange)
        session: Session = exchange.session
        session.exchange_closed(exchange)
        conversation = self._conversation_of(session)
        conversation.metrics.exchange(exchange)
        conversation.emit("on_close", None, exchange)

    def finish(self) -> None:
        """Ends the exchanges that were still open when the capture stopped."""
        for exchange in list(self._exchanges.values()):
            self._end(exchange)
        self._exchanges.clear()


def _shows_mcp(exchange: HttpExchange) -> bool:
    marks = ("mcp-protocol-version", "mcp-session-id", "mcp-method", "mcp-name")
    return any(exchange.header(name) is not None for name in marks)
