"""First events of POST streams."""

from mcpsniff.protocol.streams import SseEvent
from mcpsniff.rules.rule import INFO, SERVER, WARNING, Found, Rule, Session


class HttpPrimingEventMissing(Rule):
    """The stream that answers a POST does not begin with an event that has an id and no data.

    ## Why it matters
    If the connection breaks before the first message, the client has no id to resume from, and the response is lost.

    ## How to fix
    Send an event with an id and an empty data field as soon as the stream is open.

    ## When it stays silent
    GET streams, the stream that answers `initialize`, and other revisions. A server that never sends an id cannot be
    resumed, so there is nothing to prime: information.
    """

    title = "POST stream does not begin with a priming event"
    tier = 2
    severity = {"2025-11-25": WARNING}
    since, until = "2025-11-25", "2025-11-25"
    violator = SERVER
    transport = "http"
    spec = {"2025-11-25": "basic/transports#sending-messages-to-the-server"}

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._first: SseEvent | None = None  # of the first stream that began otherwise
        self._count = 0

    def on_event(self, event: SseEvent) -> Found:
        methods = [request.method for request in event.exchange.requests]
        begins = event.exchange.stream.first is None and (event.id is not None or event.data is not None)
        if begins and methods and "initialize" not in methods and not event.primes:
            self._first = self._first or event
            self._count += 1
        yield from ()

    def on_end(self) -> Found:
        if self._first is not None:
            severity = None if self.session.streams.ids_seen else INFO
            text = f"{self._count} POST streams of the session begin without an event that has an id and no data"
            yield self.found(self._first, text, related=[self._first.exchange.reply_seq], severity=severity)
