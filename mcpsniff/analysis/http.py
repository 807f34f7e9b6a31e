"""Records of an HTTP capture → exchanges and the conversations they belong to.

What is no MCP goes aside (aside.py) at its end; what may be waits for the response to tell.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from mcpsniff.protocol.arrival import exchange_closed
from mcpsniff.protocol.bounded import Drops
from mcpsniff.protocol.encoding import recover
from mcpsniff.protocol.exchange import HttpExchange
from mcpsniff.protocol.marks import Mark, exchange_framing
from mcpsniff.protocol.message import ANSWERS, CLIENT, SERVER, Kind, Message
from mcpsniff.protocol.revisions import METHODS
from mcpsniff.protocol.session import Session
from mcpsniff.protocol.streams import SseEvent
from mcpsniff.rules.rule import Moment, Text

from .aside import Aside
from .conversation import Conversation
from .scope import HttpScope, second_initialize

TEXTS_KEPT = 4
TEXT_KEPT = 2_000  # characters
OPEN_CAP = 10_000  # exchanges that have not ended
HELD = 100  # bodies of one exchange that wait for its session
HEADERS = ("mcp-protocol-version", "mcp-session-id", "mcp-method", "mcp-name")


class HttpFeed:
    """Feeds exchanges; the engine gives it one record at a time."""

    def __init__(self, scope: HttpScope, conversation_of: Callable[[Session], Conversation], drops: Drops) -> None:
        self._scope = scope
        self._conversation_of = conversation_of
        self._drops = drops
        self._aside = Aside(scope, conversation_of, drops)
        self._exchanges: dict[str, HttpExchange] = {}
        self._held: dict[str, list[Message | Text]] = {}  # bodies whose session the response decides, by exchange

    # which session

    def request(self, exchange: HttpExchange) -> None:
        """Takes in a request head; the body of a POST says more of its session."""
        self._exchanges[exchange.x] = exchange
        if len(self._exchanges) > OPEN_CAP:
            self._drops.forget("open exchanges", OPEN_CAP)
            self._end(self._exchanges.pop(next(iter(self._exchanges))))
        if exchange.method != "POST" and not self._awaits_event(exchange) and self._is_mcp(exchange):
            self._assign(exchange, self._scope.session_of(exchange))

    def _awaits_event(self, exchange: HttpExchange) -> bool:
        """Whether it looks like the GET of an HTTP+SSE session, which its first event tells."""
        old = exchange.method == "GET" and exchange.accepts_stream and not _shows_mcp(exchange)
        return old and self._scope.is_stream_url(exchange)

    def _is_old_stream(self, exchange: HttpExchange) -> bool:
        """Whether a stream is one of HTTP+SSE although it announced no URL: there is no session that it could join."""
        opened = exchange.method == "GET" and exchange.is_stream and exchange.succeeded
        if not opened or not exchange.accepts_stream or _shows_mcp(exchange):
            return False
        session: Session | None = exchange.session
        if session is None:
            return not self._scope.knows(exchange)
        return session.transport == "http" and session.initialize is not None and not session.era.served

    def _is_mcp(self, exchange: HttpExchange, message: Message | None = None) -> bool:
        """Whether an exchange is MCP, by its headers, its URL or a message of either side."""
        if self._scope.knows(exchange):
            return True
        if self._aside.claims(exchange):
            return False
        if _shows_mcp(exchange):
            return True
        return message is not None and any(part.method in METHODS for part in message.parts)

    def _assign(self, exchange: HttpExchange, session: Session) -> None:
        exchange.session = session
        era = session.era
        era.note_head(exchange)
        exchange.mark = Mark(exchange_framing(exchange), era, exchange.version)
        self._aside.opened(exchange, session)
        if exchange.header("last-event-id") is not None:
            session.streams.of(exchange)

    def _settle(self, exchange: HttpExchange, message: Message | None = None) -> bool:
        """Gives the exchange its session where it has none; False where it is no MCP, as far as is known."""
        if exchange.session is None and self._is_mcp(exchange, message):
            held = self._held.get(exchange.x, ())
            first = next((item for item in held if isinstance(item, Message)), message)
            self._assign(exchange, self._scope.session_of(exchange, first))
        return exchange.session is not None

    def _release(self, exchange: HttpExchange) -> None:
        """Lets held bodies go, into a new session where a second initialize was answered with another id."""
        held = self._held.pop(exchange.x, ())
        first = next((item for item in held if isinstance(item, Message)), None)
        if first is not None and _opens_another(exchange, first):
            self._assign(exchange, self._scope.reopen(exchange, first))
        for item in held:
            if isinstance(item, Message):
                self._feed(exchange, item)
            else:
                self._read(exchange, item)

    def _hold(self, exchange: HttpExchange, item: Message | Text) -> None:
        held = self._held.setdefault(exchange.x, [])
        if len(held) < HELD:
            held.append(item)

    # bodies

    def message(self, x: str, message: Message, sse: Mapping[str, Any] | None) -> None:
        """Takes in a message of a body or of an SSE event."""
        exchange = self._exchanges.get(x)
        if exchange is None:
            return
        message.exchange, message.sse = exchange, sse
        if message.sender == CLIENT:
            exchange.messages.append(message)
            if not self._settle(exchange, message) or second_initialize(message, exchange.session):
                self._hold(exchange, message)
            else:
                self._feed(exchange, message)
            return
        if message.is_version_2 and self._is_old_stream(exchange):
            self._assign(exchange, self._scope.stream(exchange))
        if self._settle(exchange, message):
            self._release(exchange)
            exchange.body = message if exchange.failed else None
            self._from_server(exchange, message)
        else:
            exchange.body = message

    def _feed(self, exchange: HttpExchange, message: Message) -> None:
        conversation = self._conversation_of(exchange.session)
        conversation.metrics.body(message)
        conversation.message(message)
        if message.kind is Kind.REQUEST and message.sender == CLIENT:
            exchange.mark = message.mark

    def _from_server(self, exchange: HttpExchange, message: Message) -> None:
        conversation = self._conversation_of(exchange.session)
        conversation.metrics.body(message)
        exchange.reply_messages += 1
        event = None if message.sse is None else self._event(exchange, message, message.raw, message.sse)
        if event is not None:
            event.message = message
            message.replayed = exchange.session.streams.is_replay(event)
            conversation.emit("on_event", None, event)
        if not message.replayed:
            conversation.message(message)
            if message.kind in ANSWERS:
                exchange.answered += 1
                exchange.final = message
        if event is not None:
            exchange.session.streams.note(event)

    def _event(self, exchange: HttpExchange, at: Any, data: bytes | None, fields: Mapping[str, Any]) -> SseEvent:
        exchange.session.streams.of(exchange)
        return SseEvent(at.seq, at.at, exchange, data).set(fields)

    def _bare_event(self, event: SseEvent) -> None:
        """Takes in an event without a message."""
        session: Session = event.exchange.session
        self._conversation_of(session).emit("on_event", None, event)
        session.streams.note(event)

    def text(self, x: str, text: Text) -> None:
        """Takes in a body that is no message."""
        exchange = self._exchanges.get(x)
        if exchange is None:
            return
        text.exchange = exchange
        if len(exchange.texts) < TEXTS_KEPT:
            exchange.texts.append((text.sender, text.seq, text.text[:TEXT_KEPT]))
        if self._settle(exchange):
            self._release(exchange)
            self._read(exchange, text)
        elif text.sender == CLIENT:
            self._hold(exchange, text)

    def _read(self, exchange: HttpExchange, text: Text) -> None:
        text.mark = exchange.mark
        conversation = self._conversation_of(exchange.session)
        conversation.metrics.text(text)
        conversation.emit("on_text", None, text)
        if text.sse is not None and text.sender == SERVER:
            self._bare_event(self._event(exchange, text, text.data, text.sse))
        recovered = recover(text.data) if text.encoding is None else None
        if recovered is None:
            conversation.unreadable(text)
            return
        message = Message(recovered, text.sender, text.seq, text.at, text.size)
        message.recovered = True
        self.message(exchange.x, message, text.sse)

    def sse(self, x: str, block: Any) -> None:
        """Takes in an SSE block without a message."""
        exchange = self._exchanges.get(x)
        if exchange is None:
            return
        if block.event == "endpoint" and block.data:
            self._assign(exchange, self._scope.announced(exchange, block.data))
        if exchange.session is not None:
            conversation = self._conversation_of(exchange.session)
            conversation.metrics.sse(block.size)
            conversation.emit("on_sse", None, block, exchange)
            if block.unfinished:
                exchange.session.streams.of(exchange).torn = bool(block.data)
            else:
                self._block(exchange, block)

    def _block(self, exchange: HttpExchange, block: Any) -> None:
        data = None if block.data is None else block.data.encode("utf-8", "surrogatepass")
        fields = {"id": block.id, "event": block.event, "retry": block.retry}
        event = self._event(exchange, Moment(block.seq, block.t), data, fields)
        self._bare_event(event)
        if block.event == "endpoint":
            exchange.session.streams.announce(event)

    # heads and ends

    def response(self, record: Any) -> None:
        """Takes in a response head."""
        exchange = self._exchanges.get(record.x)
        if exchange is None:
            return
        exchange.reply_seq, exchange.reply_at = record.seq, record.t
        exchange.status, exchange.reply_head = record.status, record.head_size
        exchange.untimed = record.untimed
        exchange.reply_headers = [(name, value) for name, value in record.headers]
        if self._awaits_event(exchange) or not self._settle(exchange):
            return
        if self._is_old_stream(exchange):
            self._assign(exchange, self._scope.stream(exchange))
        self._release(exchange)
        if exchange.is_stream and exchange.succeeded:
            exchange.session.streams.of(exchange)
        self._scope.answered(exchange, exchange.session)
        conversation = self._conversation_of(exchange.session)
        conversation.metrics.reply(exchange)
        conversation.emit("on_reply", None, exchange)

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
        if not self._settle(exchange):
            self._held.pop(exchange.x, None)
            self._aside.take(exchange)
            return
        self._release(exchange)
        session: Session = exchange.session
        session.doubts.untimed += exchange.untimed
        exchange_closed(session, exchange)
        conversation = self._conversation_of(session)
        conversation.metrics.exchange(exchange)
        conversation.emit("on_close", None, exchange)
        self._aside.ended(exchange, session)

    def finish(self) -> None:
        """Ends the exchanges that were still open when the capture stopped."""
        for exchange in list(self._exchanges.values()):
            self._end(exchange)
        self._exchanges.clear()


def _opens_another(exchange: HttpExchange, first: Message) -> bool:
    """Whether a second `initialize` was answered with a session id that the session has not had."""
    given = exchange.reply_header("mcp-session-id")
    named = given is not None and exchange.session.ids.get(given) is None
    return named and second_initialize(first, exchange.session)


def _shows_mcp(exchange: HttpExchange) -> bool:
    """Whether MCP's own headers are there; clients send the version to OAuth metadata, too."""
    if "/.well-known/" in exchange.endpoint:
        return False
    shown = any(exchange.header(name) is not None for name in HEADERS)
    return shown or exchange.reply_header("mcp-session-id") is not None or _offers_no_stream(exchange)


def _offers_no_stream(exchange: HttpExchange) -> bool:
    """Whether a GET for events was answered as only Streamable HTTP asks for: 405, POST is allowed."""
    refused = exchange.method == "GET" and exchange.status == 405 and exchange.accepts_stream
    return refused and "POST" in (exchange.reply_header("allow") or "").upper()
