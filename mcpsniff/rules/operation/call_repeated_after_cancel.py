"""Requests that come again right after they were given up."""

from collections import deque

from mcpsniff.protocol.calls import Call
from mcpsniff.protocol.message import CLIENT
from mcpsniff.protocol.revisions import NOT_WORK
from mcpsniff.rules.rule import INFO, Found, HttpExchange, Message, Rule, Session, quote
from mcpsniff.rules.when import by_client, is_method, odd, when

SOON = 60.0  # seconds
KEPT = 50  # cancelled requests


class CallRepeatedAfterCancel(Rule):
    """The client sent the same request again within a minute after it had cancelled it.

    ## Why it matters
    A timeout that is too short makes the server do the same work again and again.

    ## How to fix
    Wait longer, or ask for progress and extend the timeout while it comes.

    ## When it stays silent
    Other arguments make another request; streams of subscriptions are opened again by design.
    """

    title = "Cancelled request is sent again"
    tier = 2
    severity = {"2024-11-05": INFO}
    violator = CLIENT
    spec = {
        "2024-11-05": "basic/utilities/cancellation",
        "2026-07-28": "basic/patterns/cancellation",
    }

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._cancelled: deque[tuple[float, Call]] = deque(maxlen=KEPT)

    @when(by_client, is_method("notifications/cancelled"))
    def on_notification(self, message: Message, call: Call | None) -> Found:
        if message.method == "notifications/cancelled" and message.sender == CLIENT:
            self._note(call, message.at)
        yield from ()

    def on_close(self, exchange: HttpExchange) -> Found:
        for call in exchange.calls.values():
            if call.cancelled_at is not None and call.cancelled_seq == exchange.closed_seq:
                self._note(call, call.cancelled_at)
        yield from ()

    def _note(self, call: Call | None, at: float) -> None:
        if call is not None and call.requester == CLIENT and call.method not in (*NOT_WORK, "subscriptions/listen"):
            self._cancelled.append((at, call))
            self.stir(awake=True)

    @when(odd, awake=True)
    def on_request(self, message: Message, call: Call) -> Found:
        if not self._cancelled or message.sender != CLIENT:
            return
        for at, earlier in self._cancelled:
            if 0 <= message.at - at <= SOON and earlier.method == call.method and _same(earlier.request, message):
                text = f"{quote(call.method)} repeats record {earlier.seq}, cancelled {message.at - at:.1f} s before"
                yield self.found(message, text, related=[earlier.seq, earlier.cancelled_seq])
                return


def _same(first: Message, second: Message) -> bool:
    return _arguments(first) == _arguments(second)


def _arguments(message: Message) -> dict[str, object]:
    return {name: value for name, value in message.params.items() if name != "_meta"}
