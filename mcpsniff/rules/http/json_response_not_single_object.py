"""JSON answers that are not one response."""

from mcpsniff.protocol.headers import JSON
from mcpsniff.protocol.message import ANSWERS
from mcpsniff.rules.rule import ERROR, SERVER, Found, HttpExchange, Message, Place, Rule, Text, quote
from mcpsniff.rules.when import by_server, over_http, when


class JsonResponseNotSingleObject(Rule):
    """A request was answered with success as `application/json`, but the body is not one JSON-RPC response.

    ## Why it matters
    The client waits for its response in exactly this body; whatever else stands there, the request gets none.

    ## How to fix
    Send the response object and nothing else. To send notifications first, answer as an event stream.

    ## When it stays silent
    Error statuses, bodies that could not be decoded, and streams that broke. A response with another id, or with its id
    in another type, has a rule of its own, and so have arrays.
    """

    title = "JSON response is not one JSON-RPC object"
    tier = 2
    severity = {"2025-03-26": ERROR}
    since = "2025-03-26"
    violator = SERVER
    transport = "http"
    spec = {
        "2025-03-26": "basic/transports#sending-messages-to-the-server",
        "2026-07-28": "basic/transports/streamable-http#sending-messages",
    }
    yields_to = ("invalid-utf8", "result-and-error")

    def on_text(self, text: Text) -> Found:
        exchange = text.exchange
        if text.sender == SERVER and text.encoding is None and exchange is not None and _answers(exchange):
            yield from self._wrong(text, f'is no JSON value: "{quote(text.text, 40)}"', exchange)

    @when(by_server, over_http)
    def on_object(self, message: Message) -> Found:
        exchange: HttpExchange | None = message.exchange
        if message.sender != SERVER or message.batch or message.kind in ANSWERS or exchange is None:
            return
        if _answers(exchange):
            shown = message.method or message.raw.decode("utf-8", "replace")
            yield from self._wrong(message, f"is no response: {quote(shown, 40)}", exchange)

    def on_close(self, exchange: HttpExchange) -> Found:
        empty = not exchange.reply_messages and not any(sender == SERVER for sender, _, _ in exchange.texts)
        if empty and exchange.closed_by == SERVER and exchange.body_size == 0 and _answers(exchange):
            yield from self._wrong(exchange, "is empty", exchange, seq=exchange.reply_seq)

    def _wrong(self, at: Place, what: str, exchange: HttpExchange, seq: int | None = None) -> Found:
        request = exchange.requests[0]
        text = f"the body that should answer {quote(request.method)} {what}"
        yield self.found(at, text, seq=seq, related=[request.seq, exchange.reply_seq], mark=request.mark)


def _answers(exchange: HttpExchange) -> bool:
    """Whether it is the successful answer to a request, as JSON."""
    asked = exchange.method == "POST" and bool(exchange.requests)
    return asked and exchange.succeeded and exchange.media_type == JSON
