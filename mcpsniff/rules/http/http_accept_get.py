"""GETs that do not ask for events."""

from mcpsniff.protocol.headers import EVENT_STREAM, accepted, covers
from mcpsniff.rules.rule import CLIENT, ERROR, INFO, Found, HttpExchange, Rule, quote

OWN_HEADERS = ("mcp-session-id", "last-event-id", "mcp-protocol-version")


class HttpAcceptGet(Rule):
    """A GET to the MCP endpoint does not list `text/event-stream` in Accept.

    ## Why it matters
    The only thing to get there is an event stream; servers answer 406 or a web page.

    ## How to fix
    Send `Accept: text/event-stream` with every GET.

    ## When it stays silent
    GETs without one of MCP's own headers: browsers, health checks, metadata. A wildcard that covers the type is
    reported as information.
    """

    title = "GET without text/event-stream in Accept"
    tier = 2
    severity = {"2025-03-26": ERROR}
    since, until = "2025-03-26", "2025-11-25"
    violator = CLIENT
    transport = "http"
    spec = {"2025-03-26": "basic/transports#listening-for-messages-from-the-server"}

    def on_close(self, exchange: HttpExchange) -> Found:
        if exchange.method != "GET" or not any(exchange.header(name) is not None for name in OWN_HEADERS):
            return
        ranges = accepted(exchange)
        if EVENT_STREAM not in ranges:
            value = exchange.header("accept")
            shown = "no Accept header" if value is None else f'Accept "{quote(value)}"'
            mild = covers(ranges, EVENT_STREAM)
            text = f"{shown} {'covers by a wildcard alone' if mild else 'does not list'} {EVENT_STREAM}"
            related, severity = [exchange.reply_seq], INFO if mild else None
            yield self.found(exchange, text, related=related, severity=severity, where="Accept")
