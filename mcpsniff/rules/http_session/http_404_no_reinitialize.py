"""Sessions that the client does not give up."""

from mcpsniff.protocol.sessionids import LOST
from mcpsniff.rules.rule import CLIENT, ERROR, Found, HttpExchange, Rule, quote

CROSSING = 1.0  # seconds in which the 404 may not have reached the client


class Http404NoReinitialize(Rule):
    """The server answered 404 for the session, and the client went on without a new `initialize`.

    ## Why it matters
    The session is gone, every further request fails, and the user sees a client that no longer works.

    ## How to fix
    After 404 to a request with a session id, send `initialize` without one.

    ## When it stays silent
    Requests sent within a second of the 404, a DELETE, clients that stop; 404 to a GET, for another path, or as a web
    page. An `initialize` that still carries the id has a rule of its own.
    """

    title = "Client kept using a session after 404"
    tier = 2
    severity = {"2025-03-26": ERROR}
    since, until = "2025-03-26", "2025-11-25"
    violator = CLIENT
    transport = "http"
    spec = {"2025-03-26": "basic/transports#session-management"}

    def on_close(self, exchange: HttpExchange) -> Found:
        ids = self.session.ids
        given = ids.get(exchange.header("mcp-session-id") or ids.first)
        if given is None or given.ended_by != LOST or exchange.method not in ("POST", "GET"):
            return
        if exchange.broken_off or not given.ended_before(exchange) or exchange.opened_at <= given.ended_at + CROSSING:
            return
        if not any(request.method == "initialize" for request in exchange.requests):
            what = exchange.parts[0].method or "a response" if exchange.parts else exchange.method
            text = (
                f"{quote(what)} was sent {exchange.opened_at - given.ended_at:.0f} s after the session was answered 404"
            )
            yield self.found(exchange, text, related=[given.ended_seq, exchange.reply_seq])
