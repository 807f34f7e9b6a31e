"""Requests of a session that do not name it."""

from mcpsniff.rules.rule import CLIENT, ERROR, Found, HttpExchange, Rule, quote

METHODS = ("POST", "GET", "DELETE")


class HttpSessionIdMissing(Rule):
    """A request leaves out the Mcp-Session-Id that the server gave with the result of `initialize`.

    ## Why it matters
    The server cannot find the session and answers 400, or gives the request to another one.

    ## How to fix
    Send the header with every later POST, GET and DELETE: notifications, responses and resumptions included.

    ## When it stays silent
    `initialize` itself, requests begun before its answer, servers that gave no id, and everything after the session was
    ended or answered 404. Requests of other clients are told apart by connection, address, User-Agent and credentials.
    """

    title = "Client left out the session id it was given"
    severity = {"2025-03-26": ERROR}
    since, until = "2025-03-26", "2025-11-25"
    violator = CLIENT
    transport = "http"
    spec = {"2025-03-26": "basic/transports#session-management"}

    def on_close(self, exchange: HttpExchange) -> Found:
        session = self.session
        opened, id_ = session.initialize_result, session.session_id
        if opened is None or not id_ or exchange.seq < opened.seq or exchange.method not in METHODS:
            return
        if exchange.broken_off:
            return
        ended = session.id_ended is not None and exchange.seq > session.id_ended
        anew = any(request.method == "initialize" for request in exchange.requests)
        if not (ended or anew) and exchange.headers and exchange.header("mcp-session-id") is None:
            text = f'{exchange.method} without Mcp-Session-Id; record {opened.seq} gave "{quote(id_, 12)}"'
            related = [opened.seq, exchange.reply_seq]
            yield self.found(exchange, text, related=related, where="Mcp-Session-Id")
