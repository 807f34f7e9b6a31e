"""Replays of the wrong stream."""

from mcpsniff.protocol.streams import SseEvent, Stream
from mcpsniff.rules.rule import CLIENT, ERROR, SERVER, Call, Found, HttpExchange, Message, Rule, quote


class HttpReplayCrossStream(Rule):
    """A resumed stream delivers what belongs to another stream of the session.

    ## Why it matters
    The client resumes each of its streams; what it gets twice, or for another request, it cannot place.

    ## How to fix
    Replay only the events that were sent after the given id on the same stream.

    ## When it stays silent
    Streams whose Last-Event-ID was never seen in the capture, new messages that were delivered nowhere, messages of
    tasks, and servers that begin a fresh stream.
    """

    title = "Resumed stream replays messages of another stream"
    tier = 2
    severity = {"2025-03-26": ERROR}
    since, until = "2025-03-26", "2025-11-25"
    violator = SERVER
    transport = "http"
    spec = {"2025-03-26": "basic/transports#resumability-and-redelivery"}

    def on_event(self, event: SseEvent) -> Found:
        stream, known = event.exchange.stream, self.session.streams.known(event.id)
        if stream.follows is None or known is None or known.origin is stream.origin:
            return
        if event.data == known.data and not _of_task(event.message):
            text = f'the event "{quote(event.id, 40)}" was sent on another stream than that of "{stream.asked}"'
            yield self.found(event, text, related=[known.seq, event.exchange.seq])

    def on_answer(self, message: Message, call: Call | None) -> Found:
        exchange: HttpExchange | None = message.exchange
        stream: Stream | None = exchange.stream if exchange is not None else None
        if call is None or call.requester != CLIENT or stream is None or stream.follows is None or _of_task(message):
            return
        if call.exchange is not stream.origin.exchange:
            text = f'the response to {call.method} with id {call.id} came on the stream of event "{stream.asked}"'
            yield self.found(message, text, related=[call.seq, stream.exchange.seq])


def _of_task(message: Message | None) -> bool:
    return message is not None and "io.modelcontextprotocol/related-task" in message.meta
