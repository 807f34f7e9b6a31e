"""How modern servers take GET and DELETE."""

from mcpsniff.rules.rule import CONTEXTUAL, SERVER, WARNING, Found, HttpExchange, Moment, Rule, Session

UNRELATED = (401, 403, 429)  # statuses that say nothing of the method
KEPT = 50  # exchanges judged at the end


class GetDeleteNot405(Rule):
    """A server that knows only 2026-07-28 answered GET or DELETE with another status than 405.

    ## Why it matters
    Clients of earlier revisions find out by 405 that there is no stream and no session to end.

    ## How to fix
    Answer 405 with `Allow: POST`.

    ## When it stays silent
    Servers that also serve a handshake revision, or have not said which versions they support. 401, 403, 429 and 5xx
    have other reasons.
    """

    title = "Modern-only server did not answer GET or DELETE with 405"
    severity = {"2026-07-28": WARNING}
    since = "2026-07-28"
    violator = SERVER
    transport = "http"
    spec = {"2026-07-28": "basic/transports/streamable-http#earlier-streamable-http-revisions"}
    confidence = CONTEXTUAL

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._odd: list[tuple[HttpExchange, Moment]] = []  # what the server is may be known only later

    def on_reply(self, exchange: HttpExchange) -> Found:
        if _is_odd(exchange) and len(self._odd) < KEPT and exchange.reply_seq is not None:
            self._odd.append((exchange, Moment(exchange.reply_seq, exchange.reply_at or 0.0)))
        yield from ()

    def on_end(self) -> Found:
        for exchange, moment in self._odd if self.session.server.modern_only else ():
            text = f"{exchange.method} was answered {exchange.status} by a server of 2026-07-28 alone, not 405"
            yield self.found(moment, text, related=[exchange.seq], fault=exchange.method)


def _is_odd(exchange: HttpExchange) -> bool:
    status = exchange.status or 0
    return exchange.method in ("GET", "DELETE") and status < 500 and status not in (405, *UNRELATED)
