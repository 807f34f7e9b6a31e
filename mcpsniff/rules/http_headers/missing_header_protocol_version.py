"""Requests that do not say their protocol version."""

from mcpsniff.protocol.mirror import MISSING, VERSION
from mcpsniff.rules.rule import CLIENT, ERROR, Call, Found, HttpExchange, Message, Rule

METHODS = ("POST", "GET", "DELETE")


class MissingHeaderProtocolVersion(Rule):
    """A request has no MCP-Protocol-Version header.

    ## Why it matters
    The server has to guess the version: earlier ones assume 2025-03-26, modern ones refuse.

    ## How to fix
    From 2025-06-18 on send the negotiated version with every request after the answer to `initialize`; in 2026-07-28
    that of `_meta` with every request.

    ## When it stays silent
    `initialize`, requests begun before its answer, sessions of earlier versions, and in 2026-07-28 notifications.
    """

    title = "POST lacks the MCP-Protocol-Version header"
    severity = {"2025-06-18": ERROR}
    since, until = "2025-06-18", "2025-11-25"
    violator = CLIENT
    transport = "http"
    spec = {
        "2025-06-18": "basic/transports#protocol-version-header",
        "2026-07-28": "basic/transports/streamable-http#protocol-version-header",
    }

    def on_close(self, exchange: HttpExchange) -> Found:
        opened = self.session.initialize_result
        if opened is None or exchange.seq < opened.seq or exchange.method not in METHODS or not exchange.headers:
            return
        if exchange.broken_off:
            return
        if not exchange.version and not any(request.method == "initialize" for request in exchange.requests):
            version = opened.result.get("protocolVersion")
            text = f"{exchange.method} without {VERSION} after {version} was negotiated"
            yield self.found(exchange, text, related=[opened.seq], where=VERSION)


class MissingHeaderOfModernRequest(Rule):
    """The same for a request that carries its version in `_meta`."""

    id = "missing-header-protocol-version"
    title = MissingHeaderProtocolVersion.title
    severity = {"2026-07-28": ERROR}
    since = "2026-07-28"
    violator = CLIENT
    transport = "http"
    spec = MissingHeaderProtocolVersion.spec

    def on_request(self, message: Message, call: Call) -> Found:
        for fault in call.header_faults:
            if fault.header == VERSION and fault.kind == MISSING:
                text = f"{message.method} without {VERSION}; its _meta says {fault.body}"
                yield self.found(message.exchange, text, related=[message.seq], mark=message.mark, where=VERSION)
