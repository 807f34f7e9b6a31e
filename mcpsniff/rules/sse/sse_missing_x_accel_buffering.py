"""Buffering by proxies in between."""

from mcpsniff.protocol.revisions import META_VERSION, is_modern
from mcpsniff.rules.rule import SERVER, WARNING, Found, HttpExchange, Rule


class SseMissingXAccelBuffering(Rule):
    """An event stream was opened without `X-Accel-Buffering: no`.

    ## Why it matters
    nginx and others hold a response back until it ends, and every notification comes too late.

    ## How to fix
    Send the header with every `text/event-stream` response.

    ## When it stays silent
    Streams of the handshake era. Where the capture was made behind nginx (Server or Via names it), which takes the
    header out.
    """

    title = "SSE response lacks X-Accel-Buffering: no"
    tier = 2
    severity = {"2026-07-28": WARNING}
    since = "2026-07-28"
    violator = SERVER
    transport = "http"
    spec = {"2026-07-28": "basic/transports/streamable-http#receiving-messages"}

    def on_reply(self, exchange: HttpExchange) -> Found:
        modern = any(is_modern(request.meta.get(META_VERSION)) for request in exchange.requests)
        if not modern or not exchange.is_stream or exchange.status != 200:
            return
        value = exchange.reply_header("x-accel-buffering")
        if value is None or value.lower() != "no":
            if exchange.reply_header("via") or "nginx" in (exchange.reply_header("server") or "").lower():
                yield self.unchecked("a gateway in between may have taken the header out")
                return
            shown = "no X-Accel-Buffering" if value is None else f'X-Accel-Buffering "{value}"'
            related = [exchange.requests[0].seq]
            yield self.found(exchange, f"the stream was opened with {shown}", seq=exchange.reply_seq, related=related)
