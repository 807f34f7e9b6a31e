"""Sessions that are spread over URLs."""

from mcpsniff.protocol.exchange import endpoint_of
from mcpsniff.rules.rule import CLIENT, CONTEXTUAL, EITHER, ERROR, Found, HttpExchange, Rule, Session

METHODS = ("POST", "GET", "DELETE")
KEPT = 20  # targets of redirects


class HttpMultipleEndpoints(Rule):
    """A request with the session's id goes to another path than its `initialize` did.

    ## Why it matters
    Streamable HTTP has one endpoint for POST, GET and DELETE; elsewhere the session is not known.

    ## How to fix
    Send every request of a session to the URL of its `initialize`.

    ## When it stays silent
    Redirects that were followed, other query strings, a slash at the end, and the old HTTP+SSE transport.
    """

    title = "Messages of one session go to more than one path"
    tier = 2
    severity = {"2025-03-26": ERROR}
    since, until = "2025-03-26", "2025-11-25"
    violator = EITHER
    transport = "http"
    spec = {"2025-03-26": "basic/transports#streamable-http"}
    confidence = CONTEXTUAL

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._redirected: set[str] = set()

    def on_reply(self, exchange: HttpExchange) -> Found:
        if exchange.redirect is not None and len(self._redirected) < KEPT:
            self._redirected.add(endpoint_of(exchange.redirect))
        yield from ()

    def on_close(self, exchange: HttpExchange) -> Found:
        given = self.session.ids.get(exchange.header("mcp-session-id"))
        if given is None or exchange.method not in METHODS or exchange.seq < given.seq:
            return
        if exchange.endpoint not in (given.endpoint, *self._redirected):
            text = f"{exchange.method} goes to {exchange.endpoint}, the session is at {given.endpoint}"
            yield self.found(exchange, text, related=[given.seq], violator=CLIENT)
