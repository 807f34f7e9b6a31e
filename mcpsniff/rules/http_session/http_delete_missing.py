"""Sessions that are left behind."""

from mcpsniff.rules.rule import CLIENT, HEURISTIC, WARNING, Found, HttpExchange, Moment, Rule, Session

SILENCE = 600.0  # seconds after which a client is taken to be gone


class HttpDeleteMissing(Rule):
    """The client left without ending its session by DELETE.

    ## Why it matters
    The server keeps the session until it gives it up by itself.

    ## How to fix
    Send DELETE with the Mcp-Session-Id when the session is no longer needed.

    ## When it stays silent
    Captures that stopped while the client was active; servers that answered DELETE with 405; sessions that were
    answered 404; clients whose connection broke.
    """

    title = "Client did not DELETE its session"
    tier = 3
    severity = {"2025-03-26": WARNING}
    since, until = "2025-03-26", "2025-11-25"
    violator = CLIENT
    transport = "http"
    spec = {"2025-03-26": "basic/transports#session-management"}
    confidence = HEURISTIC

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._last: HttpExchange | None = None  # with the id
        self._deleted = False

    def on_close(self, exchange: HttpExchange) -> Found:
        if self.session.ids.get(exchange.header("mcp-session-id")) is not None:
            self._last = exchange
            self._deleted = self._deleted or exchange.method == "DELETE"
        yield from ()

    def on_end(self) -> Found:
        session, last = self.session, self._last
        if session.ids.first is None or last is None or self._deleted or session.id_ended is not None:
            return
        seen = last.closed_at or last.opened_at
        silent = last.closed_at is not None and session.end_at - seen > SILENCE
        if silent and last.closed_by in ("client", "server") and not session.server.refuses_delete:
            text = f"no DELETE in the {session.end_at - seen:.0f} s after the client's last request"
            yield self.found(Moment(last.seq, last.opened_at), text, related=[last.closed_seq], mark=last.mark)
