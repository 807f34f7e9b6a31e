"""Messages that do not go by a POST of their own."""

from mcpsniff.protocol.message import Kind
from mcpsniff.protocol.revisions import LEGACY
from mcpsniff.protocol.torn import split_doubled
from mcpsniff.rules.rule import CLIENT, ERROR, Found, HttpExchange, Message, Rule, Text

SHAPED = frozenset((Kind.REQUEST, Kind.NOTIFICATION, Kind.RESULT, Kind.ERROR, Kind.BATCH))


class HttpNotPost(Rule):
    """A JSON-RPC message was sent by another HTTP method than POST, in the URL, or together with others in one body.

    ## Why it matters
    Servers read messages from the bodies of POSTs alone, one each; this one is lost.

    ## How to fix
    Send every message as a new POST. After a redirect that turned a POST into a GET, ask at the new URL: servers should
    redirect with 307 or 308.

    ## When it stays silent
    GET without a body opens a stream, DELETE without one ends a session. Arrays have a rule of their own. In 2026-07-28
    several messages in one body are http-post-body-invalid.
    """

    title = "JSON-RPC message sent with another HTTP method than POST"
    tier = 2
    severity = {"2025-03-26": ERROR}
    since = "2025-03-26"
    violator = CLIENT
    transport = "http"
    spec = {
        "2025-03-26": "basic/transports#sending-messages-to-the-server",
        "2026-07-28": "basic/transports/streamable-http#sending-messages",
    }

    def on_close(self, exchange: HttpExchange) -> Found:
        if exchange.method == "POST":
            return
        message = next((m for m in exchange.messages if m.kind in SHAPED), None)
        if message is not None:
            text = f"{exchange.method} carries {message.method or 'a message'} in its body"
            yield self.found(exchange, text, related=[message.seq, exchange.reply_seq])
        elif any(_is_message(value) for _, value in exchange.query):
            text = f"{exchange.method} carries a message in its URL"
            yield self.found(exchange, text, related=[exchange.reply_seq], only_in=LEGACY)

    def on_text(self, text: Text) -> Found:
        if text.sender == CLIENT and text.encoding is None and (count := len(split_doubled(text.data))) > 1:
            yield self.found(text, f"one body holds {count} messages", fault="several", only_in=LEGACY)


def _is_message(value: str) -> bool:
    if not value.lstrip().startswith("{"):
        return False
    message = Message(value.encode("utf-8", "replace"), CLIENT, 0, 0.0, len(value))
    return message.is_version_2 and message.kind in SHAPED
