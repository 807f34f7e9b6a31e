"""Connections closed without a word on when to come back."""

from mcpsniff.protocol.streams import Stream
from mcpsniff.rules.echoes import CANCELLATIONS
from mcpsniff.rules.rule import SERVER, WARNING, Found, HttpExchange, Moment, Rule, Session

KEPT = 100  # connections judged at the end


class HttpRetryMissing(Rule):
    """The server closed the connection of a stream that goes on, and had sent no `retry` on it.

    ## Why it matters
    The client does not know how long to wait, and comes back at once or far too late.

    ## How to fix
    Send a `retry` field with the milliseconds to wait before closing.

    ## When it stays silent
    Streams that were over: the response sent, a GET stream never resumed, the session ended; connections that the
    client or the network ended.
    """

    title = "Server closed a live stream without a retry hint"
    tier = 2
    severity = {"2025-11-25": WARNING}
    since, until = "2025-11-25", "2025-11-25"
    violator = SERVER
    transport = "http"
    spec = {"2025-11-25": "basic/transports#sending-messages-to-the-server"}
    echoes = CANCELLATIONS

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._closed: list[Stream] = []

    def on_close(self, exchange: HttpExchange) -> Found:
        stream: Stream | None = exchange.stream
        if stream is None or exchange.closed_by != SERVER or not exchange.succeeded or len(self._closed) >= KEPT:
            return
        live = stream.waits or not stream.is_post
        if live and stream.ids and stream.retry is None:
            self._closed.append(stream)
        yield from ()

    def on_end(self) -> Found:
        for stream in self._closed:
            exchange = stream.exchange
            given = self.session.ids.get(exchange.header("mcp-session-id"))
            ended = given is not None and given.ended_seq is not None and given.ended_seq < (exchange.closed_seq or 0)
            if not ended and (stream.is_post or stream.resumed is not None):
                place = Moment(exchange.closed_seq or exchange.seq, exchange.closed_at or exchange.opened_at)
                text = "the connection of a stream that goes on was closed, and no retry had been sent on it"
                yield self.found(place, text, related=[exchange.seq], mark=exchange.mark)
