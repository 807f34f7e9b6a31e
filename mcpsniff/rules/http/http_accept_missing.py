"""Accept headers that do not list both media types."""

from mcpsniff.protocol.headers import EVENT_STREAM, JSON, accepted, covers
from mcpsniff.protocol.message import Kind
from mcpsniff.rules.rule import CLIENT, ERROR, INFO, Found, HttpExchange, Rule, quote

MESSAGES = frozenset((Kind.REQUEST, Kind.NOTIFICATION, Kind.RESULT, Kind.ERROR))


class HttpAcceptMissing(Rule):
    """A POST does not list both `application/json` and `text/event-stream` in Accept.

    ## Why it matters
    The server alone chooses between the two; many refuse with 406 a client that cannot take both.

    ## How to fix
    Send `Accept: application/json, text/event-stream` with every POST.

    ## When it stays silent
    Order, case, parameters and several Accept lines do not matter; a type of quality 0 is not listed. A wildcard that
    covers a missing type is reported as information. Requests that are no MCP, and the old HTTP+SSE transport, are not
    judged.
    """

    title = "Accept header does not list both application/json and text/event-stream"
    severity = {"2025-03-26": ERROR}
    since = "2025-03-26"
    violator = CLIENT
    transport = "http"
    spec = {
        "2025-03-26": "basic/transports#sending-messages-to-the-server",
        "2026-07-28": "basic/transports/streamable-http#sending-messages",
    }

    def on_close(self, exchange: HttpExchange) -> Found:
        if exchange.method != "POST" or not exchange.headers:
            return
        if not any(part.kind in MESSAGES for part in exchange.parts):
            return
        ranges = accepted(exchange)
        missing = [wanted for wanted in (JSON, EVENT_STREAM) if wanted not in ranges]
        if missing:
            value = exchange.header("accept")
            shown = "no Accept header" if value is None else f'Accept "{quote(value)}"'
            mild = all(covers(ranges, wanted) for wanted in missing)
            verb = "covers by a wildcard alone" if mild else "does not list"
            text = f"{shown} {verb} {' and '.join(missing)}"
            yield self.found(exchange, text, severity=INFO if mild else None, where="Accept")
