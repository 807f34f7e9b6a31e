"""GETs that do not ask for events."""

from mcpsniff.protocol.headers import EVENT_STREAM, accepted, covers
from mcpsniff.rules.rule import CLIENT, ERROR, INFO, Found, HttpExchange, Rule, Session, quote

URLS_KEPT = 100  # of one session
IN_SESSION = ("mcp-session-id", "last-event-id")


class HttpAcceptGet(Rule):
    """A GET to the MCP endpoint does not list `text/event-stream` in Accept.

    ## Why it matters
    The only thing to get there is an event stream; servers answer 406 or a web page.

    ## How to fix
    Send `Accept: text/event-stream` with every GET.

    ## When it stays silent
    GETs without one of MCP's own headers: browsers, health checks, metadata. Requests for metadata have the
    MCP-Protocol-Version, too: it counts where the client has posted to the same URL. A wildcard that covers the type is
    reported as information.
    """

    title = "GET without text/event-stream in Accept"
    tier = 2
    severity = {"2025-03-26": ERROR}
    since, until = "2025-03-26", "2025-11-25"
    violator = CLIENT
    transport = "http"
    spec = {"2025-03-26": "basic/transports#listening-for-messages-from-the-server"}

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._posted: set[str] = set()  # URLs

    def on_reply(self, exchange: HttpExchange) -> Found:
        if exchange.method == "POST" and len(self._posted) < URLS_KEPT:
            self._posted.add(exchange.endpoint)
        yield from ()

    def on_close(self, exchange: HttpExchange) -> Found:
        if exchange.method != "GET" or not self._is_ours(exchange):
            return
        ranges = accepted(exchange)
        if EVENT_STREAM not in ranges:
            value = exchange.header("accept")
            shown = "no Accept header" if value is None else f'Accept "{quote(value)}"'
            mild = covers(ranges, EVENT_STREAM)
            text = f"{shown} {'covers by a wildcard alone' if mild else 'does not list'} {EVENT_STREAM}"
            related, severity = [exchange.reply_seq], INFO if mild else None
            yield self.found(exchange, text, related=related, severity=severity, where="Accept")

    def _is_ours(self, exchange: HttpExchange) -> bool:
        """Whether a GET is for the MCP endpoint, beyond doubt."""
        if any(exchange.header(name) is not None for name in IN_SESSION):
            return True
        return exchange.version is not None and exchange.endpoint in self._posted
