"""What servers answer to the GET of a session."""

from mcpsniff.protocol.headers import EVENT_STREAM, accepted
from mcpsniff.rules.rule import ERROR, SERVER, Found, HttpExchange, Moment, Rule, Session, quote

WRONG = (400, 406, 409, 501)  # statuses that are neither a refusal for another reason nor a fault of the moment
KEPT = 20  # GETs answered 404


class HttpGetNotSseOr405(Rule):
    """A GET that asks for an event stream got neither a stream nor 405.

    ## Why it matters
    Clients learn by 405 that there is no stream to listen to; at anything else some give the session up.

    ## How to fix
    Answer 200 with `text/event-stream`, or 405. A second stream of one session is allowed, so 409 is none of the two.

    ## When it stays silent
    401, 403, 429 and faults of the moment (5xx but 501); a GET with a wrong Accept header, version, session id or event
    id, which is the client's fault; 404 unless the same session answers POSTs afterwards.
    """

    title = "GET answered with neither an SSE stream nor 405"
    tier = 2
    severity = {"2025-03-26": ERROR}
    since, until = "2025-03-26", "2025-11-25"
    violator = SERVER
    transport = "http"
    spec = {"2025-03-26": "basic/transports#listening-for-messages-from-the-server"}

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._lost: list[HttpExchange] = []  # GETs answered 404
        self._posted = 0  # record of the latest POST that was answered with success

    def on_close(self, exchange: HttpExchange) -> Found:
        status = exchange.status or 0
        if exchange.method == "POST" and 200 <= status < 300:
            self._posted = exchange.seq
        elif exchange.method == "GET" and self._is_right(exchange):
            if status == 404 and len(self._lost) < KEPT:
                self._lost.append(exchange)
            elif status in WRONG or (200 <= status < 300 and not exchange.is_stream):
                yield from self._wrong(exchange)

    def on_end(self) -> Found:
        for exchange in self._lost:
            if self._posted > (exchange.reply_seq or exchange.seq):
                yield from self._wrong(exchange, ", although the session lives", self._posted)

    def _is_right(self, exchange: HttpExchange) -> bool:
        """Whether the GET itself gives no reason to refuse it."""
        opened, ids = self.session.initialize_result, self.session.ids
        if opened is None or exchange.seq < opened.seq or EVENT_STREAM not in accepted(exchange):
            return False
        asked, id_ = exchange.header("last-event-id"), exchange.header("mcp-session-id")
        if asked and self.session.streams.known(asked) is None:
            return False
        if exchange.version not in (None, opened.result.get("protocolVersion")):
            return False
        given = ids.get(id_)
        if given is None:
            return id_ is None and ids.first is None
        return exchange.endpoint == given.endpoint and not given.ended_before(exchange)

    def _wrong(self, exchange: HttpExchange, besides: str = "", other: int | None = None) -> Found:
        shown = f" as {quote(exchange.media_type)}" if exchange.media_type else ""
        text = f"GET was answered {exchange.status}{shown}{besides}, neither with an event stream nor with 405"
        moment = Moment(exchange.reply_seq or exchange.seq, exchange.reply_at or exchange.opened_at)
        fault = "second-stream" if exchange.status == 409 else str(exchange.status)
        yield self.found(moment, text, related=[exchange.seq, other], fault=fault, mark=exchange.mark)
