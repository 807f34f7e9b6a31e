"""New sessions under an old name."""

from mcpsniff.rules.echoes import VERSIONS
from mcpsniff.rules.rule import CLIENT, ERROR, Found, HttpExchange, Rule, quote


class HttpInitializeWithSessionId(Rule):
    """An `initialize` carries an Mcp-Session-Id.

    ## Why it matters
    The id comes with the answer to `initialize`; with an old one the server looks for a session that is gone.

    ## How to fix
    Send `initialize` without the header, also after a 404.

    ## When it stays silent
    An empty header.
    """

    title = "initialize carries a session id"
    tier = 2
    severity = {"2025-03-26": ERROR}
    since, until = "2025-03-26", "2025-11-25"
    violator = CLIENT
    transport = "http"
    spec = {"2025-03-26": "basic/transports#session-management"}
    echoes = VERSIONS

    def on_close(self, exchange: HttpExchange) -> Found:
        sent = exchange.header("mcp-session-id")
        first = next((request for request in exchange.requests if request.method == "initialize"), None)
        if sent and first is not None:
            text = f'initialize carries the session id "{quote(sent, 40)}"'
            yield self.found(exchange, text, related=[first.seq, exchange.reply_seq], where="Mcp-Session-Id")
