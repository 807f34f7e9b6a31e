"""Streams opened anew instead of resumed."""

from mcpsniff.protocol.streams import Stream
from mcpsniff.rules.rule import CLIENT, HEURISTIC, WARNING, Found, HttpExchange, Rule, Session

WINDOW = 10.0  # seconds
KEPT = 50  # GETs judged at the end


class HttpResumeWithoutLastEventId(Rule):
    """A stream that had sent event ids ended, and the client opened a new GET stream without Last-Event-ID.

    ## Why it matters
    What the server sent in between is lost, although it was kept for exactly this.

    ## How to fix
    Send the id of the last event as Last-Event-ID.

    ## When it stays silent
    Streams without ids, or that the client itself closed; a client that resumes the stream as well. Whether it wanted
    to resume is not visible.
    """

    title = "Client re-opened a broken stream without Last-Event-ID"
    tier = 3
    severity = {"2025-03-26": WARNING}
    since, until = "2025-03-26", "2025-11-25"
    violator = CLIENT
    transport = "http"
    spec = {"2025-03-26": "basic/transports#resumability-and-redelivery"}
    confidence = HEURISTIC
    by_time = True

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._broken: Stream | None = None  # the latest that could be resumed
        self._anew: list[tuple[HttpExchange, Stream]] = []

    def on_reply(self, exchange: HttpExchange) -> Found:
        stream, broken = exchange.stream, self._broken
        if exchange.method == "GET" and stream is not None and not stream.asked and broken is not None:
            since = exchange.opened_at - (broken.exchange.closed_at or 0.0)
            if 0 <= since <= WINDOW and len(self._anew) < KEPT:
                self._anew.append((exchange, broken))
                self._broken = None
        yield from ()

    def on_close(self, exchange: HttpExchange) -> Found:
        stream: Stream | None = exchange.stream
        broken = stream is not None and stream.resumable and exchange.closed_by not in (None, CLIENT)
        if stream is not None and broken and (exchange.method == "GET" or stream.waits):
            self._broken = stream
        yield from ()

    def on_end(self) -> Found:
        for exchange, broken in self._anew:
            if broken.resumed is None:
                since = exchange.opened_at - (broken.exchange.closed_at or 0.0)
                text = f"a new stream was opened {since:.1f} s after one with event ids had ended"
                yield self.found(exchange, text, related=[broken.exchange.closed_seq])
