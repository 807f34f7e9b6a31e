"""Version headers of a session that agreed on another version."""

from mcpsniff.rules.rule import CLIENT, WARNING, Found, HttpExchange, Rule, quote


class HttpProtocolVersionMismatch(Rule):
    """A request carries another MCP-Protocol-Version than was negotiated.

    ## Why it matters
    The server may treat the request by the rules of the wrong version, or refuse it.

    ## How to fix
    Send the `protocolVersion` of the InitializeResult, not the one that was asked for.

    ## When it stays silent
    `initialize` itself, requests begun before its answer, and modern requests of a client that speaks both eras.
    """

    title = "MCP-Protocol-Version differs from the negotiated version"
    tier = 2
    severity = {"2025-06-18": WARNING}
    since, until = "2025-06-18", "2025-11-25"
    violator = CLIENT
    transport = "http"
    spec = {"2025-06-18": "basic/transports#protocol-version-header"}

    def on_close(self, exchange: HttpExchange) -> Found:
        opened, sent = self.session.initialize_result, exchange.version
        if opened is None or not sent or exchange.seq < opened.seq:
            return
        agreed = opened.result.get("protocolVersion")
        if sent != agreed and not any(request.method == "initialize" for request in exchange.requests):
            text = f'{exchange.method} says "{quote(sent, 40)}", but {quote(agreed, 40)} was negotiated'
            yield self.found(exchange, text, related=[opened.seq], where="MCP-Protocol-Version")
