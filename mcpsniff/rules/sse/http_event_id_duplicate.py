"""Event ids that name two events."""

from mcpsniff.protocol.streams import SseEvent
from mcpsniff.rules.rule import ERROR, SERVER, Found, Rule, quote


class HttpEventIdDuplicate(Rule):
    """Two different events of a session carry one id.

    ## Why it matters
    A client that resumes with this id gets the wrong stream's events, or none.

    ## How to fix
    Make ids unique over all streams of a session: put the stream into the id, not a counter a stream.

    ## When it stays silent
    Replays with the same data, events without an id or with an empty one, and blocks without data.
    """

    title = "SSE event id is not unique in the session"
    tier = 2
    severity = {"2025-03-26": ERROR}
    since, until = "2025-03-26", "2025-11-25"
    violator = SERVER
    transport = "http"
    spec = {"2025-03-26": "basic/transports#resumability-and-redelivery"}

    def on_event(self, event: SseEvent) -> Found:
        known = self.session.streams.known(event.id)
        if known is None or known.data is None or event.data is None or known.data == event.data:
            return
        where = "on this stream" if known.origin is event.exchange.stream.origin else "on another stream"
        text = f'the event id "{quote(event.id, 40)}" was used {where} for other data'
        yield self.found(event, text, related=[known.seq], where="id")
