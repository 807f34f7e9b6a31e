"""Media types of POST bodies."""

from mcpsniff.protocol.headers import JSON
from mcpsniff.rules.rule import CLIENT, CONTEXTUAL, INFO, Found, HttpExchange, Rule, quote


class RequestContentType(Rule):
    """A message was posted without `Content-Type: application/json`.

    ## Why it matters
    No sentence asks for it, but many servers answer 415 to anything else.

    ## How to fix
    Set the header; a charset parameter does no harm.

    ## When it stays silent
    Bodies that are no message.
    """

    title = "POST body is not labelled application/json"
    tier = 2
    severity = {"2025-03-26": INFO}
    since = "2025-03-26"
    violator = CLIENT
    transport = "http"
    spec = {
        "2025-03-26": "basic/transports#sending-messages-to-the-server",
        "2026-07-28": "basic/transports/streamable-http#standard-request-headers",
    }
    confidence = CONTEXTUAL

    def on_close(self, exchange: HttpExchange) -> Found:
        if exchange.method != "POST" or not exchange.headers or not exchange.messages:
            return
        value = exchange.header("content-type")
        if value is None or value.partition(";")[0].strip().lower() != JSON:
            shown = "without Content-Type" if value is None else f'as "{quote(value)}"'
            text = f"a message was posted {shown}, not as {JSON}"
            yield self.found(exchange, text, related=[exchange.reply_seq], where="Content-Type")
