"""Session ids that come at the wrong time."""

from mcpsniff.protocol.sessionids import LATE
from mcpsniff.rules.rule import SERVER, WARNING, Found, HttpExchange, Rule, quote


class HttpSessionIdAssignedLate(Rule):
    """Another response than that with the InitializeResult gives a session id, or changes it.

    ## Why it matters
    Clients take the id from the answer to `initialize`; they miss this one, or no longer know which session is theirs.

    ## How to fix
    Give the id with the answer to `initialize`, and repeat none but that one.

    ## When it stays silent
    Responses that repeat the client's own id. Error statuses: some servers make an id up for each request they refuse,
    and clients must not adopt it.
    """

    title = "Session id assigned or changed outside the initialize response"
    tier = 2
    severity = {"2025-03-26": WARNING}
    since, until = "2025-03-26", "2025-11-25"
    violator = SERVER
    transport = "http"
    spec = {"2025-03-26": "basic/transports#session-management"}

    def on_close(self, exchange: HttpExchange) -> Found:
        new, sent, ids = exchange.reply_header("mcp-session-id"), exchange.header("mcp-session-id"), self.session.ids
        given = ids.get(new)
        if given is None or given.how != LATE or given.seq != exchange.reply_seq:
            return
        if any(request.method == "initialize" for request in exchange.requests):
            return
        current = sent or ids.first
        if current is not None or self.session.initialize_result is not None:
            before = f'the client\'s is "{quote(current, 40)}"' if current else "the client had none"
            text = f'{exchange.method} was answered with the session id "{quote(new, 40)}"; {before}'
            yield self.found(exchange, text, seq=exchange.reply_seq, related=[exchange.seq], where="Mcp-Session-Id")
