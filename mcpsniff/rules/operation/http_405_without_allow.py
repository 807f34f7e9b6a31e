"""405 that does not say what would be allowed."""

from mcpsniff.rules.rule import INFO, SERVER, Found, HttpExchange, Rule


class Http405WithoutAllow(Rule):
    """A 405 response has no Allow header.

    ## Why it matters
    The client cannot tell what the URL is good for, and HTTP requires the header (RFC 9110 15.5.6).

    ## How to fix
    Send `Allow: POST` (and what else is served) with every 405.

    ## When it stays silent
    An empty Allow header is one, too.
    """

    title = "405 without Allow"
    tier = 2
    severity = {"2024-11-05": INFO}
    violator = SERVER
    transport = "http"
    spec = {"2024-11-05": "https://www.rfc-editor.org/rfc/rfc9110#section-15.5.6"}

    def on_reply(self, exchange: HttpExchange) -> Found:
        if exchange.status == 405 and exchange.reply_header("allow") is None and exchange.reply_seq is not None:
            text = f"405 to {exchange.method} names no allowed method"
            yield self.found(exchange, text, seq=exchange.reply_seq, related=[exchange.seq])
