"""Old event streams that do not say where to post."""

from mcpsniff.protocol.streams import SseEvent, Stream
from mcpsniff.rules.rule import ERROR, SERVER, Found, HttpExchange, Rule, quote

PATIENCE = 10.0  # seconds


class SseEndpointEventMissing(Rule):
    """A stream of the old HTTP+SSE transport does not begin with an `endpoint` event.

    ## Why it matters
    The client does not know where to send its messages, and waits.

    ## How to fix
    Send `event: endpoint` with the URL for POSTs before anything else.

    ## When it stays silent
    Comments and `retry` are no events. Streams of Streamable HTTP announce nothing: those with one of MCP's own
    headers, or after an `initialize` that was answered.
    """

    title = "SSE stream does not start with an endpoint event"
    tier = 2
    severity = {"2024-11-05": ERROR}
    until = "2024-11-05"
    violator = SERVER
    transport = "http+sse"
    spec = {"2024-11-05": "basic/transports#http-with-sse"}

    def on_event(self, event: SseEvent) -> Found:
        stream: Stream = event.exchange.stream
        begins = stream.first is None and event.exchange.method == "GET" and bool(event.data)
        if begins and event.type != "endpoint":
            what = f'an event of type "{quote(event.type, 40)}"' if event.type else "a message"
            yield self.found(
                event, f"the stream begins with {what}, not with an endpoint event", related=[event.exchange.seq]
            )

    def on_close(self, exchange: HttpExchange) -> Found:
        stream: Stream | None = exchange.stream
        if exchange.method != "GET" or stream is None or stream.first is not None or not exchange.succeeded:
            return
        ended = self.session.end_at if exchange.closed_at is None else exchange.closed_at
        began = exchange.reply_at or exchange.opened_at
        if exchange.is_stream and (exchange.closed_by == SERVER or ended - began >= PATIENCE):
            text = f"the stream brought no endpoint event in {ended - began:.1f} s"
            yield self.found(exchange, text, seq=exchange.reply_seq, related=[exchange.closed_seq])
