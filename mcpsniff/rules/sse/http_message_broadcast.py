"""One message on several streams."""

from mcpsniff.protocol.bounded import BoundedDict, Drops
from mcpsniff.protocol.message import Kind
from mcpsniff.protocol.streams import SseEvent
from mcpsniff.rules.rule import ERROR, SERVER, Found, Rule, Session

WINDOW = 1.0  # seconds in which equal notifications are one
KEPT = 500  # messages remembered


class HttpMessageBroadcast(Rule):
    """The server sent one message on several streams of a session.

    ## Why it matters
    The client acts twice, or answers twice; which copy is the right one it cannot tell.

    ## How to fix
    Send each message on one stream only; if the client did not get it, replay it when the stream is resumed.

    ## When it stays silent
    Replays on a resumed stream, and copies whose first stream had ended. Equal notifications count within one second,
    where one of the streams is that of a GET or both have the same event id.
    """

    title = "Same server message sent on several streams"
    tier = 2
    severity = {"2025-03-26": ERROR}
    since, until = "2025-03-26", "2025-11-25"
    violator = SERVER
    transport = "http"
    spec = {"2025-03-26": "basic/transports#multiple-connections"}
    by_time = True

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._sent: BoundedDict[bytes, SseEvent] = BoundedDict("sent messages", KEPT, Drops())

    def on_event(self, event: SseEvent) -> Found:
        message = event.message
        if message is None or message.replayed:
            return
        key = message.raw
        if message.id is not None and message.id.legal:
            key = f"{message.kind.value} {message.method} {message.id.key!r}".encode()
        first = self._sent.get(key)
        if first is not None and self._is_copy(event, first):
            what = message.method or f"the response to id {message.id}"
            text = f"{what} was sent on two open streams"
            yield self.found(event, text, related=[first.seq, first.exchange.seq, event.exchange.seq])
        else:
            self._sent[key] = event

    def _is_copy(self, event: SseEvent, first: SseEvent) -> bool:
        if first.exchange is event.exchange or first.exchange.closed_seq is not None:
            return False
        if event.message is not None and event.message.kind is not Kind.NOTIFICATION:
            return True
        both_post = first.exchange.method == "POST" == event.exchange.method
        same_id = bool(event.id) and event.id == first.id
        return event.at - first.at <= WINDOW and (same_id or not both_post)
