"""How requests without a session id are refused."""

from mcpsniff.rules.rule import SERVER, WARNING, Found, HttpExchange, Rule

UNRELATED = (400, 405, 406, 415, 429)  # right, or about something else


class HttpMissingSessionNot400(Rule):
    """A request without the session id was refused with another status than 400.

    ## Why it matters
    By 400 a client knows that it forgot the id; at 404 it gives a session up that lives.

    ## How to fix
    Answer 400 where the header is required and missing.

    ## When it stays silent
    Servers that do not require the id; 401 and 403 where authorization or an Origin is in play; 405, 406, 415 and 429;
    faults of a gateway (502 to 504).
    """

    title = "Request without session id refused with a status other than 400"
    tier = 2
    severity = {"2025-03-26": WARNING}
    since, until = "2025-03-26", "2025-11-25"
    violator = SERVER
    transport = "http"
    spec = {"2025-03-26": "basic/transports#session-management"}

    def on_close(self, exchange: HttpExchange) -> Found:
        status, opened, ids = exchange.status or 0, self.session.initialize_result, self.session.ids
        if status < 400 or status in UNRELATED or 502 <= status <= 504 or exchange.header("mcp-session-id") is not None:
            return
        given = ids.get(ids.first)
        if given is None or opened is None or exchange.seq < opened.seq or given.ended_before(exchange):
            return
        if exchange.endpoint != given.endpoint or (status in (401, 403) and _is_guarded(exchange)):
            return
        if not any(request.method == "initialize" for request in exchange.requests):
            text = f"{exchange.method} without a session id was refused with {status}, not 400"
            yield self.found(exchange, text, seq=exchange.reply_seq, related=[exchange.seq, given.seq])


def _is_guarded(exchange: HttpExchange) -> bool:
    """Whether authorization, or the origin, may be the reason of a refusal."""
    asked = any(exchange.header(name) is not None for name in ("authorization", "origin"))
    return asked or exchange.reply_header("www-authenticate") is not None
