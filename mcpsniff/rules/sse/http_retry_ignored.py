"""Clients that come back too early."""

from mcpsniff.protocol.streams import SseEvent, Stream
from mcpsniff.rules.rule import CLIENT, EITHER, ERROR, SERVER, Found, HttpExchange, Rule, quote

TOLERANCE = 0.05  # seconds, or a tenth of the wait where that is more


class HttpRetryIgnored(Rule):
    """The client resumed a stream before the time had passed that the server's `retry` asked for.

    ## Why it matters
    Servers close connections to shed load; clients that come back at once make it worse.

    ## How to fix
    Wait for the milliseconds of the last `retry` of this stream before the GET with Last-Event-ID.

    ## When it stays silent
    Connections that the client or the network ended, requests other than the resumption, and a tenth of the time. A
    `retry` that is no number is the server's fault and reported here, too.
    """

    title = "Client reconnected before the retry time had passed"
    tier = 2
    severity = {"2025-11-25": ERROR}
    since, until = "2025-11-25", "2025-11-25"
    violator = EITHER
    transport = "http"
    spec = {"2025-11-25": "basic/transports#sending-messages-to-the-server"}

    def on_close(self, exchange: HttpExchange) -> Found:
        stream: Stream | None = exchange.stream
        before = stream.follows if stream is not None else None
        if before is None or before.exchange.closed_by != SERVER or before.wait is None:
            return
        closed, wait = before.exchange.closed_at or 0.0, before.wait / 1000
        waited = exchange.opened_at - closed
        if 0 <= waited < wait - max(TOLERANCE, wait / 10):
            text = f"the client resumed after {waited:.2f} s, the server had asked for {wait:g} s"
            yield self.found(exchange, text, related=[before.exchange.closed_seq], violator=CLIENT)

    def on_event(self, event: SseEvent) -> Found:
        if isinstance(event.retry, str):
            text = f'retry "{quote(event.retry, 40)}" is no number of milliseconds'
            yield self.found(event, text, violator=SERVER, fault="value", where="retry")
