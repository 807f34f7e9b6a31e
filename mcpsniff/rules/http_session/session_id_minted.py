"""Session ids given to modern clients."""

from mcpsniff.protocol.revisions import META_VERSION, is_modern
from mcpsniff.rules.rule import SERVER, WARNING, Found, HttpExchange, Rule, quote


class SessionIdMinted(Rule):
    """The answer to a modern request sets Mcp-Session-Id.

    ## Why it matters
    2026-07-28 has no sessions: clients ignore the id, and a server that counts on its return keeps state in vain.

    ## How to fix
    Set the header only in the answer to an `initialize` of the handshake era.

    ## When it stays silent
    Answers to `initialize`, and to requests that are modern in their header or their body alone.
    """

    title = "Server set Mcp-Session-Id on the answer to a modern request"
    severity = {"2026-07-28": WARNING}
    since = "2026-07-28"
    violator = SERVER
    transport = "http"
    spec = {"2026-07-28": "basic/transports/streamable-http#earlier-streamable-http-revisions"}

    def on_reply(self, exchange: HttpExchange) -> Found:
        id_ = exchange.reply_header("mcp-session-id")
        requests = exchange.requests
        modern = requests and all(is_modern(request.meta.get(META_VERSION)) for request in requests)
        if id_ is not None and modern and is_modern(exchange.version):
            text = f'{requests[0].method} was answered with Mcp-Session-Id "{quote(id_, 12)}"'
            related = [requests[0].seq]
            yield self.found(exchange, text, seq=exchange.reply_seq, related=related, where="Mcp-Session-Id")
