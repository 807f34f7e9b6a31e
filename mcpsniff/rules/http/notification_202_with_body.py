"""Bodies where nothing follows."""

from mcpsniff.protocol.message import Kind
from mcpsniff.rules.rule import ERROR, INFO, SERVER, Found, HttpExchange, Message, Rule, Text, quote
from mcpsniff.rules.when import by_server, over_http, when

ONE_WAY = frozenset((Kind.NOTIFICATION, Kind.RESULT, Kind.ERROR))


class Notification202WithBody(Rule):
    """A notification or a response was accepted with 202, but the answer has a body.

    ## Why it matters
    Clients do not read on after 202, or take the body for a message that answers nothing.

    ## How to fix
    Send 202 with an empty body.

    ## When it stays silent
    Content-Type or Content-Length headers without a body, the old HTTP+SSE transport, and JSON-RPC errors, which
    notification-not-202 reports. White space alone is reported as information.
    """

    title = "202 for a notification carries a body"
    tier = 2
    severity = {"2025-03-26": ERROR}
    since = "2025-03-26"
    violator = SERVER
    transport = "http"
    spec = {
        "2025-03-26": "basic/transports#sending-messages-to-the-server",
        "2026-07-28": "basic/transports/streamable-http#sending-messages",
    }
    yields_to = ("notification-not-202",)

    def on_text(self, text: Text) -> Found:
        yield from self._judge(text, text.text)

    @when(by_server, over_http)
    def on_object(self, message: Message) -> Found:
        yield from self._judge(message, message.raw.decode("utf-8", "replace"))

    def _judge(self, body: Text | Message, shown: str) -> Found:
        exchange: HttpExchange | None = body.exchange
        if body.sender != SERVER or exchange is None or exchange.status != 202 or exchange.method != "POST":
            return
        parts = exchange.parts
        if parts and all(part.kind in ONE_WAY for part in parts):
            severity = None if shown.strip() else INFO
            text = f'{parts[0].method or "a response"} was accepted with the body "{quote(shown, 40)}"'
            related = [parts[0].seq, exchange.reply_seq]
            yield self.found(body, text, related=related, severity=severity, fault="" if severity is None else "blank")
