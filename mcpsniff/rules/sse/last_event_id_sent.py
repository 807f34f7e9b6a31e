"""Resumption by modern clients."""

from mcpsniff.protocol.revisions import is_modern
from mcpsniff.rules.rule import CLIENT, CONTEXTUAL, WARNING, Found, HttpExchange, Moment, Place, Rule, quote


class LastEventIdSent(Rule):
    """A modern request carries Last-Event-ID.

    ## Why it matters
    Streams of 2026-07-28 cannot be resumed: servers ignore the header, and what was lost stays lost.

    ## How to fix
    Send the request again with a new id; after a lost subscription, listen again.

    ## When it stays silent
    Handshake-era sessions resume streams this way.
    """

    title = "Client tried to resume a stream with Last-Event-ID in the modern era"
    severity = {"2026-07-28": WARNING}
    since = "2026-07-28"
    violator = CLIENT
    transport = "http"
    spec = {"2026-07-28": "basic/transports/streamable-http#receiving-messages"}
    confidence = CONTEXTUAL

    def on_close(self, exchange: HttpExchange) -> Found:
        event = exchange.header("last-event-id")
        if event is None:
            return
        # The header alone looks like the handshake era: without a version, the session as a whole decides.
        shown = is_modern(exchange.version) or exchange.requests
        place: Place = exchange if shown else Moment(exchange.seq, exchange.opened_at)
        text = f'{exchange.method} carries Last-Event-ID "{quote(event, 40)}"'
        yield self.found(place, text, related=[exchange.reply_seq], where="Last-Event-ID")
