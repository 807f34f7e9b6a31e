"""Streams that end inside an event."""

from typing import Any

from mcpsniff.rules.rule import SERVER, WARNING, Found, HttpExchange, Rule, Session, quote


class SseEventUnterminated(Rule):
    """A stream ended in order inside an event: data without the blank line that ends it.

    ## Why it matters
    Parsers that keep to the standard drop such an event; the answer in it is lost.

    ## How to fix
    End every event with a blank line, the last one, too.

    ## When it stays silent
    Streams that an error, the proxy or the client cut, and blocks without data.
    """

    title = "Stream ended inside an SSE event"
    tier = 2
    severity = {"2024-11-05": WARNING}
    violator = SERVER
    transport = "http"
    spec = {"2024-11-05": "https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation"}

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._torn: dict[str, Any] = {}  # the last block of a stream, by exchange

    def on_sse(self, block: Any, exchange: HttpExchange) -> Found:
        if block.unfinished and block.data:
            self._torn[exchange.x] = block
        yield from ()

    def on_close(self, exchange: HttpExchange) -> Found:
        block = self._torn.pop(exchange.x, None)
        cut = exchange.error is not None or exchange.closed_why == "reset"
        if block is not None and exchange.closed_by == "server" and not cut:
            text = f'no blank line after the data "{quote(block.data)}"'
            yield self.found(exchange, text, seq=block.seq, related=[exchange.seq])
