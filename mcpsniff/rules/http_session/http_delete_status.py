"""How DELETE is answered."""

from mcpsniff.rules.rule import CONTEXTUAL, INFO, SERVER, Found, HttpExchange, Rule

USUAL = (401, 403, 404, 405, 429)


class HttpDeleteStatus(Rule):
    """The DELETE of a session was answered with an unusual status.

    ## Why it matters
    The page names success and 405 alone; clients take anything else for a failure, and keep or retry the session.

    ## How to fix
    Answer 200 or 204 when the session is ended, 405 where clients cannot end sessions.

    ## When it stays silent
    404, where the session had ended, 401, 403 and 429; gateways (502 to 504); ids that the capture does not know.
    """

    title = "DELETE of a session answered with an unusual status"
    tier = 2
    severity = {"2025-03-26": INFO}
    since, until = "2025-03-26", "2025-11-25"
    violator = SERVER
    transport = "http"
    spec = {"2025-03-26": "basic/transports#session-management"}
    confidence = CONTEXTUAL

    def on_close(self, exchange: HttpExchange) -> Found:
        given = self.session.ids.get(exchange.header("mcp-session-id"))
        if exchange.method != "DELETE" or given is None or given.ended_before(exchange):
            return
        status = exchange.status
        if status is not None and not exchange.succeeded and status not in USUAL and not 502 <= status <= 504:
            text = f"DELETE of the session was answered {status}"
            yield self.found(exchange, text, seq=exchange.reply_seq, related=[exchange.seq])
