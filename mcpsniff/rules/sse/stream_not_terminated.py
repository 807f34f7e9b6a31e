"""Streams that stay open."""

from mcpsniff.protocol.streams import Stream
from mcpsniff.rules.rule import SERVER, WARNING, Found, HttpExchange, Moment, Rule

GRACE = 2.0  # seconds


class StreamNotTerminated(Rule):
    """The server left the stream of a request open after the response.

    ## Why it matters
    Every open stream holds a connection; browsers and proxies allow few, and then requests hang.

    ## How to fix
    End the body of the response with the last message. The connection may stay open for the next request.

    ## When it stays silent
    Streams that end within 2 s, whoever ends them, and streams of GET. A message after the response has a rule of its
    own. Where the capture has gaps, the end may be in one.
    """

    title = "Server left the SSE stream open after the final response"
    tier = 2
    severity = {"2025-03-26": WARNING}
    since = "2025-03-26"
    violator = SERVER
    transport = "http"
    spec = {
        "2025-03-26": "basic/transports#sending-messages-to-the-server",
        "2026-07-28": "basic/transports/streamable-http#receiving-messages",
    }
    by_time = True

    def on_close(self, exchange: HttpExchange) -> Found:
        stream: Stream | None = exchange.stream
        if stream is None or stream.done is None or stream.late:
            return
        ended = self.session.end_at if exchange.closed_at is None else exchange.closed_at
        if ended - stream.done.at <= GRACE:
            return
        if self.session.holes:
            yield self.unchecked("the end of the stream may stand in what the capture lacks")
            return
        how = (
            "at the end of the capture" if exchange.closed_at is None else f"then it was closed by {exchange.closed_by}"
        )
        text = f"the stream was open for {ended - stream.done.at:.1f} s after the response, {how}"
        place = Moment(stream.done.seq, stream.done.at)
        yield self.found(place, text, related=[exchange.seq, exchange.closed_seq], mark=exchange.mark)
