"""Streams that something holds back."""

from typing import Any

from mcpsniff.protocol.message import SERVER
from mcpsniff.rules.rule import CONTEXTUAL, INFO, UNKNOWN, Found, HttpExchange, Message, Rule, Session
from mcpsniff.rules.when import in_event, when

LONG = 2.0  # seconds
AT_ONCE = 0.05  # seconds
ENOUGH = 3  # events: an answer and a notification may well come together


class SseBuffered(Rule):
    """All events of a long stream arrived together at its end: something on the way buffers it.

    ## Why it matters
    Progress and questions come when they are of no use any more, and keep-alives keep nothing alive.

    ## How to fix
    Turn buffering off in the reverse proxy (nginx: `proxy_buffering off`, or the response header
    `X-Accel-Buffering: no`), switch off compression of streams, flush after each event.

    ## When it stays silent
    Streams of less than two seconds or three events. Whether server or proxy buffers cannot be seen.
    """

    title = "Stream arrives in one piece at its end"
    tier = 2
    severity = {"2024-11-05": INFO}
    violator = UNKNOWN
    transport = "http"
    confidence = CONTEXTUAL
    spec = {
        "2024-11-05": "basic/transports#http-with-sse",
        "2025-03-26": "basic/transports#streamable-http",
        "2026-07-28": "basic/transports/streamable-http#receiving-messages",
    }
    by_time = True

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._events: dict[str, tuple[int, float, int]] = {}  # exchange → (first record, seconds, how many)

    @when(in_event)
    def on_object(self, message: Message) -> Found:
        if message.sse is not None and message.sender == SERVER:
            self._note(message.exchange, message.seq, message.at)
        yield from ()

    def on_sse(self, block: Any, exchange: HttpExchange) -> Found:
        self._note(exchange, block.seq, block.t)
        yield from ()

    def _note(self, exchange: HttpExchange, seq: int, at: float) -> None:
        first, began, count = self._events.get(exchange.x) or (seq, at, 0)
        self._events[exchange.x] = (first, began, count + 1)

    def on_close(self, exchange: HttpExchange) -> Found:
        first, began, count = self._events.pop(exchange.x, (0, 0.0, 0))
        if count < ENOUGH or exchange.closed_at is None or exchange.closed_seq is None:
            return
        lasted = exchange.closed_at - exchange.opened_at
        if exchange.closed_by == "server" and lasted > LONG and exchange.closed_at - began <= AT_ONCE:
            text = (
                f"{count} events came together at the end of a stream of {lasted:.1f} s: the server or a proxy before"
            )
            yield self.found(exchange, f"{text} it buffers", seq=first, related=[exchange.seq, exchange.closed_seq])
