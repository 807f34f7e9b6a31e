"""How requests of an ended session are answered."""

from mcpsniff.rules.rule import ERROR, SERVER, Found, HttpExchange, Rule, quote


class HttpTerminatedSessionNot404(Rule):
    """A request with the id of a session that had ended was not answered with 404.

    ## Why it matters
    404 is the sign by which clients begin a new session; at anything else they go on with a dead one.

    ## How to fix
    Answer 404 to every request with an id that is no longer valid.

    ## When it stays silent
    401, 403 and 429; 405 to a GET or DELETE; requests sent before the end was answered; `initialize`; an id that was
    given again; gateways (502 to 504).
    """

    title = "Request with a terminated session id not answered with 404"
    tier = 2
    severity = {"2025-03-26": ERROR}
    since, until = "2025-03-26", "2025-11-25"
    violator = SERVER
    transport = "http"
    spec = {"2025-03-26": "basic/transports#session-management"}

    def on_close(self, exchange: HttpExchange) -> Found:
        status, given = exchange.status, self.session.ids.get(exchange.header("mcp-session-id"))
        if given is None or not given.ended_before(exchange) or status is None or exchange.endpoint != given.endpoint:
            return
        if status in (401, 403, 404, 429) or 502 <= status <= 504 or (status == 405 and exchange.method != "POST"):
            return
        if not any(request.method == "initialize" for request in exchange.requests):
            sent = quote(exchange.header("mcp-session-id"), 40)
            text = f'{exchange.method} with the id "{sent}" of an ended session was answered {status}, not 404'
            related = [given.ended_seq, exchange.seq]
            yield self.found(exchange, text, seq=exchange.reply_seq, related=related)
