"""Resumption from the wrong place."""

from mcpsniff.protocol.streams import Stream
from mcpsniff.rules.rule import CLIENT, CONTEXTUAL, WARNING, Found, HttpExchange, Rule, quote


class HttpLastEventIdWrong(Rule):
    """The client resumed with an event id that it never received, or that was not the last of its stream.

    ## Why it matters
    The server replays what the client already had, or cannot replay at all.

    ## How to fix
    Keep the id of the last event for each stream, and send that one.

    ## When it stays silent
    Unknown ids where the capture does not hold the whole session. Events of the last second before a connection ended
    may not have reached the client.
    """

    title = "Last-Event-ID is not the last id the client received"
    tier = 2
    severity = {"2025-03-26": WARNING}
    since, until = "2025-03-26", "2025-11-25"
    violator = CLIENT
    transport = "http"
    spec = {"2025-03-26": "basic/transports#resumability-and-redelivery"}
    confidence = CONTEXTUAL
    by_time = True

    def on_close(self, exchange: HttpExchange) -> Found:
        stream: Stream | None = exchange.stream
        if stream is None or not stream.asked:
            return
        asked, related = quote(stream.asked, 40), [exchange.reply_seq]
        if stream.newer is not None:
            text = f'Last-Event-ID "{asked}", but the stream had sent "{quote(stream.newer, 40)}" since'
            yield self.found(exchange, text, related=related, where="Last-Event-ID")
        elif stream.follows is None:
            if not self.session.whole or self.session.streams.forgot:
                yield self.unchecked("the event may have been sent before the capture began, or in a gap")
                return
            text = f'Last-Event-ID "{asked}" was the id of no event'
            yield self.found(exchange, text, related=related, fault="unknown", where="Last-Event-ID")
