"""Session ids sent by modern clients."""

from mcpsniff.protocol.revisions import META_VERSION, is_modern
from mcpsniff.rules.rule import CLIENT, WARNING, Found, HttpExchange, Rule, quote


class SessionIdSent(Rule):
    """A modern POST carries Mcp-Session-Id.

    ## Why it matters
    2026-07-28 has no sessions and the server ignores the id; a client that sends it expects state that is not there.

    ## How to fix
    Leave the header out of requests that carry their version in `_meta`.

    ## When it stays silent
    Handshake-era requests of a client that speaks both eras.
    """

    title = "Client sent Mcp-Session-Id with a modern request"
    severity = {"2026-07-28": WARNING}
    since = "2026-07-28"
    violator = CLIENT
    transport = "http"
    spec = {"2026-07-28": "basic/transports/streamable-http#earlier-streamable-http-revisions"}

    def on_close(self, exchange: HttpExchange) -> Found:
        id_ = exchange.header("mcp-session-id")
        if id_ is None or exchange.method != "POST":
            return
        if is_modern(exchange.version) or any(META_VERSION in part.meta for part in exchange.parts):
            text = f'a modern POST carries Mcp-Session-Id "{quote(id_, 12)}"'
            yield self.found(exchange, text, where="Mcp-Session-Id")
