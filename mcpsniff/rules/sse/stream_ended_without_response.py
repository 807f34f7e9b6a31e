"""Streams that end too early."""

from mcpsniff.protocol.revisions import LEGACY, REVISIONS
from mcpsniff.protocol.sessionids import LOST
from mcpsniff.protocol.streams import Stream
from mcpsniff.protocol.subscriptions import listen_of
from mcpsniff.rules.echoes import CANCELLATIONS
from mcpsniff.rules.rule import CLIENT, CONTEXTUAL, SERVER, WARNING, Draft, Found, HttpExchange, Moment, Rule, Session

KEPT = 100  # streams judged at the end
PATIENCE = 120.0  # seconds of an empty stream after which a client that closes it has given up
RESUMABLE = "2025-11-25"  # there the server may close a connection at any time, once it sent an event id


class StreamEndedWithoutResponse(Rule):
    """The server ended the event stream of a request without its response.

    ## Why it matters
    The client waits until its timeout for a response that never comes.

    ## How to fix
    Send the response, if need be an error, before the stream is closed. In 2025-11-25 the server may close earlier once
    it sent an event with an id, so that the client can resume.

    ## When it stays silent
    Streams that broke, or that the recording proxy ended; that the client closed, unless nothing had come in 120 s
    (in 2026-07-28 closing cancels); cancelled requests; a session that was ended; `subscriptions/listen`; streams that
    ended inside an event (sse-event-unterminated). In 2025-11-25, where ids were sent: responses that came later, and
    streams that the client did not resume (http-poll-abandoned).
    """

    title = "Response stream ended without a JSON-RPC response"
    tier = 2
    severity = {"2025-03-26": WARNING}
    since = "2025-03-26"
    violator = SERVER
    transport = "http"
    spec = {
        "2025-03-26": "basic/transports#sending-messages-to-the-server",
        "2026-07-28": "basic/transports/streamable-http#receiving-messages",
    }
    confidence = CONTEXTUAL
    echoes = CANCELLATIONS

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._ended: list[tuple[Stream, bool]] = []  # and whether the client could resume it

    def on_close(self, exchange: HttpExchange) -> Found:
        stream: Stream | None = exchange.stream
        if stream is not None and _was_given_up(exchange, stream):
            yield self._given_up(exchange)
        ended = exchange.closed_by == SERVER and exchange.is_stream and exchange.succeeded
        if stream is None or stream.torn or not ended or len(self._ended) >= KEPT:
            return
        if stream.is_post and stream.waits and listen_of(stream.origin.exchange) is None:
            self._ended.append((stream, stream.resumable))

    def on_end(self) -> Found:
        for stream, resumable in self._ended:
            revisions = list(REVISIONS) if stream.follows is None else [RESUMABLE]
            resumed = stream.follows is not None or stream.resumed is not None
            if resumable and (not resumed or not stream.waits or self.session.cut):
                revisions.remove(RESUMABLE)
            if revisions and not self._is_gone(stream.exchange):
                yield self._draft(stream.exchange, stream.origin.exchange, revisions)

    def _is_gone(self, exchange: HttpExchange) -> bool:
        """Whether the session had ended, or was lost."""
        given = self.session.ids.get(exchange.header("mcp-session-id"))
        if given is None or given.ended_seq is None:
            return False
        return given.ended_by == LOST or given.ended_seq < (exchange.closed_seq or exchange.seq)

    def _given_up(self, exchange: HttpExchange) -> Draft:
        call = next(iter(exchange.calls.values()))
        waited = (exchange.closed_at or 0.0) - (exchange.reply_at or exchange.opened_at)
        text = (
            f"the stream of {call.method} with id {call.id} stayed empty for {waited:.0f} s, until the client gave up"
        )
        place = Moment(exchange.reply_seq or exchange.seq, exchange.reply_at or exchange.opened_at)
        related = [call.seq, exchange.closed_seq]
        return self.found(place, text, related=related, mark=call.mark, only_in=LEGACY, fault="empty")

    def _draft(self, exchange: HttpExchange, asked: HttpExchange, revisions: list[str]) -> Draft:
        call = next(iter(asked.calls.values()))
        place = Moment(exchange.closed_seq or exchange.seq, exchange.closed_at or exchange.opened_at)
        text = f"the stream of {call.method} with id {call.id} was ended without a response"
        return self.found(place, text, related=[call.seq], mark=call.mark, only_in=revisions)


def _was_given_up(exchange: HttpExchange, stream: Stream) -> bool:
    """Whether nothing at all came on an event stream until the client closed it, long after."""
    if exchange.closed_by != CLIENT or exchange.closed_at is None or stream.first is not None or not stream.waits:
        return False
    return exchange.method == "POST" and exchange.closed_at - (exchange.reply_at or exchange.opened_at) >= PATIENCE
