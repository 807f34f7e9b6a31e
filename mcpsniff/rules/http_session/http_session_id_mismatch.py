"""Session ids that are not the client's."""

from mcpsniff.protocol.sessionids import DELETED
from mcpsniff.rules.rule import CLIENT, ERROR, Found, HttpExchange, Rule, quote


class HttpSessionIdMismatch(Rule):
    """The client sent an Mcp-Session-Id that the server never gave it, or one that it had ended itself.

    ## Why it matters
    The server answers 404, or mixes two sessions up.

    ## How to fix
    Send the id exactly as the answer to `initialize` gave it, and forget it after DELETE.

    ## When it stays silent
    Sessions that began before the capture; ids that the server gave later than it should; `initialize` with an id, and
    ids that were answered 404, which have rules of their own.
    """

    title = "Client sent a session id the server never assigned"
    tier = 2
    severity = {"2025-03-26": ERROR}
    since, until = "2025-03-26", "2025-11-25"
    violator = CLIENT
    transport = "http"
    spec = {"2025-03-26": "basic/transports#session-management"}

    def on_close(self, exchange: HttpExchange) -> Found:
        ids, sent, opened = self.session.ids, exchange.header("mcp-session-id"), self.session.initialize_result
        if not sent or opened is None or exchange.seq < opened.seq:
            return
        if any(request.method == "initialize" for request in exchange.requests):
            return
        given, related = ids.get(sent), [exchange.reply_seq]
        if given is None:
            shown = f'not "{quote(ids.first, 40)}"' if ids.first else "but none was given"
            text = f'{exchange.method} carries the session id "{quote(sent, 40)}", {shown}'
            yield self.found(exchange, text, related=[opened.seq, *related], where="Mcp-Session-Id")
        elif given.ended_by == DELETED and given.ended_before(exchange):
            text = f'{exchange.method} carries the session id "{quote(sent, 40)}", which was deleted'
            related = [given.ended_seq, *related]
            yield self.found(exchange, text, related=related, fault="stale", where="Mcp-Session-Id")
