"""GET streams of modern clients."""

from mcpsniff.protocol.revisions import MODERN_CODES, is_modern
from mcpsniff.rules.rule import CLIENT, CONTEXTUAL, WARNING, Found, HttpExchange, Rule, Session

FALLBACK = (400, 404, 405)  # statuses of a POST after which clients look for the old HTTP+SSE transport


class HttpGetStreamOpened(Rule):
    """The client opened a stream by GET with a modern MCP-Protocol-Version.

    ## Why it matters
    2026-07-28 has no GET stream: modern servers answer 405, and change notifications never come.

    ## How to fix
    Send `subscriptions/listen`; its response stream carries the notifications.

    ## When it stays silent
    Handshake-era sessions open such streams. So do clients that look for the old HTTP+SSE transport, right after a POST
    failed with 400, 404 or 405 and no modern error; where the capture holds no POST of the client before the GET, one
    may have failed. A GET that does not ask for events is no stream.
    """

    title = "Client opened a GET stream in the modern era"
    severity = {"2026-07-28": WARNING}
    since = "2026-07-28"
    violator = CLIENT
    transport = "http"
    spec = {"2026-07-28": "basic/transports/streamable-http#earlier-streamable-http-revisions"}
    confidence = CONTEXTUAL

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._failed: bool | None = None  # the latest POST did, in a way that makes clients fall back

    def on_reply(self, exchange: HttpExchange) -> Found:
        if exchange.method == "POST" and self._failed is None:
            self._failed = False  # until it ends
        yield from ()

    def on_close(self, exchange: HttpExchange) -> Found:
        if exchange.method == "POST":
            modern = exchange.final is not None and exchange.final.code in MODERN_CODES
            self._failed = exchange.status in FALLBACK and not modern
            return
        if exchange.method != "GET" or not exchange.accepts_stream or not is_modern(exchange.version):
            return
        if self._failed is None:
            yield self.unchecked("the capture holds no POST of the client before the GET")
        elif not self._failed:
            text = f"GET asks for an event stream with MCP-Protocol-Version {exchange.version}"
            yield self.found(exchange, text, related=[exchange.reply_seq])
