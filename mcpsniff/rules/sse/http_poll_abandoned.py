"""Responses that nobody came back for."""

from mcpsniff.protocol.streams import Stream
from mcpsniff.rules.echoes import CANCELLATIONS
from mcpsniff.rules.rule import CLIENT, CONTEXTUAL, SERVER, WARNING, Found, HttpExchange, Moment, Rule, Session

PATIENCE = 10.0  # seconds beyond retry
KEPT = 100  # connections judged at the end
POLLED_OTHERWISE = ("tasks/get", "tasks/result")


class HttpPollAbandoned(Rule):
    """The server closed a connection before the response, as it may, but the client did not come back for it.

    ## Why it matters
    The response stays with the server, and the client's user waits for nothing.

    ## How to fix
    When a stream that sent an event id ends without the response, resume it: GET with Last-Event-ID.

    ## When it stays silent
    Cancelled requests, responses that came otherwise, tasks, sessions that ended, or that the capture leaves within
    10 s after the time of `retry`.
    """

    title = "Client did not reconnect after the server closed a resumable stream with the response outstanding"
    tier = 2
    severity = {"2025-11-25": WARNING}
    since, until = "2025-11-25", "2025-11-25"
    violator = CLIENT
    transport = "http"
    spec = {"2025-11-25": "basic/transports#sending-messages-to-the-server"}
    confidence = CONTEXTUAL
    echoes = CANCELLATIONS

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._closed: list[Stream] = []
        self._alive = 0.0  # seconds, when the client was last heard

    def on_close(self, exchange: HttpExchange) -> Found:
        self._alive = max(self._alive, exchange.opened_at)
        stream: Stream | None = exchange.stream
        if stream is None or exchange.closed_by != SERVER or not exchange.succeeded or len(self._closed) >= KEPT:
            return
        if stream.is_post and stream.resumable and stream.waits:
            self._closed.append(stream)
        yield from ()

    def on_end(self) -> Found:
        for stream in self._closed:
            exchange = stream.exchange
            closed = exchange.closed_at or exchange.opened_at
            late = closed + (stream.wait or 0) / 1000 + PATIENCE
            if stream.resumed is not None or not stream.waits or self._alive <= late or self._is_over(exchange, late):
                continue
            call = next(call for call in stream.origin.exchange.calls.values() if call.open)
            if call.method not in POLLED_OTHERWISE:
                waited = self._alive - closed
                text = f"the response to {call.method} with id {call.id} was not fetched in {waited:.0f} s"
                place = Moment(exchange.closed_seq or exchange.seq, closed)
                yield self.found(place, text, related=[call.seq], mark=call.mark)

    def _is_over(self, exchange: HttpExchange, late: float) -> bool:
        given = self.session.ids.get(exchange.header("mcp-session-id"))
        return given is not None and given.ended_seq is not None and given.ended_at <= late
