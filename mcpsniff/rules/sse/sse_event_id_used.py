"""Event ids that nobody can use."""

from mcpsniff.protocol.streams import SseEvent
from mcpsniff.rules.rule import CONTEXTUAL, INFO, SERVER, Found, Rule, quote


class SseEventIdUsed(Rule):
    """An event on the stream of a modern request carries an id, or a time after which to resume.

    ## Why it matters
    2026-07-28 has no resumption: a server that keeps events for it keeps them in vain.

    ## How to fix
    Leave `id` and `retry` out, and the event store that goes with them.

    ## When it stays silent
    Handshake-era streams, where ids are of use.
    """

    title = "Server attaches ids to SSE events in the modern era"
    tier = 2
    severity = {"2026-07-28": INFO}
    since = "2026-07-28"
    violator = SERVER
    transport = "http"
    spec = {"2026-07-28": "basic/transports/streamable-http#receiving-messages"}
    confidence = CONTEXTUAL

    def on_event(self, event: SseEvent) -> Found:
        if event.exchange.method == "POST" and (event.id is not None or event.retry is not None):
            field = f'the id "{quote(event.id, 40)}"' if event.id is not None else f"retry {quote(event.retry, 40)}"
            yield self.found(event, f"an event carries {field}", related=[event.exchange.seq])
