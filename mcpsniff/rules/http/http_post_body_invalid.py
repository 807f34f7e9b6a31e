"""POST bodies that are no message."""

from mcpsniff.rules.rule import CLIENT, ERROR, Found, HttpExchange, Rule, Text, quote


class HttpPostBodyInvalid(Rule):
    """The body of a POST to the MCP endpoint is empty or not JSON.

    ## Why it matters
    There is nothing to process, and the server cannot say to which request its error belongs.

    ## How to fix
    Send one JSON-RPC message a POST, as UTF-8 JSON.

    ## When it stays silent
    Bodies that could not be decoded, or that the recorder did not get. Arrays, JSON values that are no object, and
    bytes that are not UTF-8 have rules of their own.
    """

    title = "POST body is not a permitted JSON-RPC body"
    tier = 2
    severity = {"2025-03-26": ERROR}
    since = "2025-03-26"
    violator = CLIENT
    transport = "http"
    spec = {
        "2025-03-26": "basic/transports#sending-messages-to-the-server",
        "2026-07-28": "basic/transports/streamable-http#sending-messages",
    }
    yields_to = ("http-not-post", "invalid-utf8")

    def on_text(self, text: Text) -> Found:
        exchange = text.exchange
        if text.sender == CLIENT and text.encoding is None and exchange is not None and exchange.method == "POST":
            yield self.found(text, f'the body is no JSON: "{quote(text.text)}"', related=[exchange.seq])

    def on_close(self, exchange: HttpExchange) -> Found:
        if exchange.method == "POST" and exchange.status is not None and _is_empty(exchange):
            yield self.found(exchange, "the body is empty", related=[exchange.reply_seq], fault="empty")


def _is_empty(exchange: HttpExchange) -> bool:
    """Whether no body was sent, not only none recorded."""
    if exchange.messages or any(sender == CLIENT for sender, _, _ in exchange.texts):
        return False
    if exchange.request_body is not None:
        return exchange.request_body == 0
    unframed = exchange.header("transfer-encoding") is None
    return exchange.header("content-length") == "0" and unframed
