"""Cancellations of requests that are not the sender's."""

from mcpsniff.protocol.ids import JsonId
from mcpsniff.protocol.message import OTHER
from mcpsniff.rules.rule import CLIENT, ERROR, INFO, Call, Found, Message, Rule

GRACE = 2.0  # seconds in which the sender may not have read the answer yet


class CancelUnknownRequest(Rule):
    """A `notifications/cancelled` names a request that its sender never issued.

    ## Why it matters
    The receiver ignores it, and the work that was meant goes on.

    ## How to fix
    Send back the id of a request of your own, with its JSON type: "3" does not cancel 3. To refuse a request of the
    other side, answer it with an error.

    ## When it stays silent
    A request that was answered already, or that the transport refused, was issued all the same. In 2026-07-28 it is
    information where the answer is more than two seconds old, or where the request is cancelled twice. Where the
    capture does not hold the whole session, an unknown id proves nothing.
    """

    title = "Client cancelled a request it never issued or that is long finished"
    severity = {"2024-11-05": ERROR}
    since, until = "2024-11-05", "2025-11-25"
    spec = {
        "2024-11-05": "basic/utilities/cancellation#behavior-requirements",
        "2026-07-28": "basic/patterns/cancellation#behavior-requirements",
    }
    methods = ("notifications/cancelled",)
    yields_to = ("task-cancel-by-notification",)

    def on_notification(self, message: Message, call: Call | None) -> Found:
        named = message.token("requestId")
        if call is not None or named is None or not named.legal:
            return
        calls = self.session.calls
        if calls.used(message.sender, named) is not None:
            yield from self._finished(message, named)
        elif not self.session.whole:
            yield self.unchecked("the request may not have been recorded")
        else:
            text, related = self._stranger(message.sender, named)
            yield self.found(message, text, related=[related], where="/params/requestId")

    def _stranger(self, sender: str, named: JsonId) -> tuple[str, int | None]:
        calls = self.session.calls
        seq = calls.used_as_text(sender, named)
        if seq is not None:
            return f"no request has the id {named}: the JSON type differs from that of record {seq}", seq
        seq = calls.used(OTHER[sender], named)
        if seq is not None:
            return f"request {named} came from the other side: one cancels one's own requests", seq
        return f"no request has the id {named}", None

    def _finished(self, message: Message, named: JsonId) -> Found:
        yield from ()  # cancel-completed-request, cancel-initialize


class CancelUnknownRequestModern(CancelUnknownRequest):
    """The same where the client alone sends requests, and closing a stream is how HTTP cancels."""

    id = "cancel-unknown-request"
    severity = {"2026-07-28": ERROR}
    since, until = "2026-07-28", "2026-07-28"
    transport = "stdio"
    violator = CLIENT

    def on_notification(self, message: Message, call: Call | None) -> Found:
        if message.sender != CLIENT:
            return
        if call is not None and call.cancelled_seq is not None:
            text = f"request {call.id} was cancelled before, by record {call.cancelled_seq}"
            yield self.found(message, text, related=[call.seq, call.cancelled_seq], severity=INFO)
        yield from super().on_notification(message, call)

    def _finished(self, message: Message, named: JsonId) -> Found:
        call = self.session.calls.answered(CLIENT, named)
        if call is not None and call.ended is not None and message.at - call.ended > GRACE:
            age = message.at - call.ended
            text = f"request {named} was answered {age:.1f} s before, by record {call.answer_seq}"
            yield self.found(message, text, related=[call.seq, call.answer_seq], severity=INFO)
