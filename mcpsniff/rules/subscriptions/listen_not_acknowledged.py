"""A listen stream that never got its acknowledgment."""

from mcpsniff.protocol.message import Kind
from mcpsniff.protocol.subscriptions import Subscription, listen_of
from mcpsniff.rules.echoes import SUBSCRIPTIONS
from mcpsniff.rules.rule import CONTEXTUAL, ERROR, SERVER, Call, Found, HttpExchange, Message, Rule, Session
from mcpsniff.rules.when import by_client, is_method, when

PATIENCE = 10.0  # seconds in which a server that serves other requests should have acknowledged


class ListenNotAcknowledged(Rule):
    """A subscription was opened, but `notifications/subscriptions/acknowledged` never came.

    ## Why it matters
    The client cannot tell which notifications it will get, nor that the stream works at all.

    ## How to fix
    Send the acknowledgment at once, as the first message of the subscription, with its id and the granted filter.

    ## When it stays silent
    An error in place of the stream, a cancellation before the ten seconds are over, the end of the process and the end
    of the capture are none of it. The ten seconds only count where the server answers other requests after them.
    """

    title = "Server opened a subscription without acknowledging it"
    severity = {"2026-07-28": ERROR}
    since = "2026-07-28"
    violator = SERVER
    spec = {"2026-07-28": "basic/patterns/subscriptions#acknowledgment"}
    confidence = CONTEXTUAL
    yields_to = ("listen-not-sse", "listen-ack-not-first")
    echoes = SUBSCRIPTIONS

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._told: set[int] = set()  # records of listen requests

    @when(by_client, is_method("subscriptions/listen"))
    def on_request(self, message: Message, call: Call) -> Found:
        self.stir(awake=True)
        yield from ()

    @when(is_method("subscriptions/listen"), awake=True)
    def on_answer(self, message: Message, call: Call | None) -> Found:
        if call is None or call.requester == SERVER:
            return
        if call.method == "subscriptions/listen":
            sub = self.session.subscriptions.by_id(call.id)
            if message.kind is Kind.RESULT and sub is not None:
                yield from self._missing(sub, message.seq, "its result came without one")
            return
        for sub in self.session.subscriptions.open():
            waited = message.at - sub.call.started
            if waited > PATIENCE:
                yield from self._missing(sub, message.seq, f"none came in {waited:.0f} s while others were served")

    def on_close(self, exchange: HttpExchange) -> Found:
        listen = listen_of(exchange)
        sub = self.session.subscriptions.by_id(listen.id) if listen is not None else None
        if sub is None or listen is None or listen.answer_seq is not None:
            return
        if exchange.is_stream and exchange.status == 200 and exchange.closed_by == "server":
            yield from self._missing(sub, exchange.closed_seq, "its stream ended without one")

    def _missing(self, sub: Subscription, seq: int | None, how: str) -> Found:
        if sub.acked_seq is not None or sub.call.seq in self._told:
            return
        self._told.add(sub.call.seq)
        if self.session.holes or self.session.clipped[(SERVER, Kind.NOTIFICATION)]:
            yield self.unchecked("part of the traffic was not recorded")
        else:
            text = f"subscription {sub.call.id} got no acknowledgment: {how}"
            yield self.found(sub.call, text, related=[seq], fault=sub.call.id.text)
