"""Cancellations that come too late, or of what must not be cancelled (handshake revisions)."""

from mcpsniff.protocol.message import CLIENT
from mcpsniff.protocol.revisions import LEGACY
from mcpsniff.rules.rule import CERTAIN, CONTEXTUAL, ERROR, INFO, Call, Found, Message, Rule

CROSSING = 1.0  # seconds in which the answer and the cancellation may have crossed (trap T6)


class _Cancelled(Rule):
    """What both share."""

    tier = 2
    severity = {"2024-11-05": ERROR}
    until = LEGACY[-1]
    spec = {"2024-11-05": "basic/utilities/cancellation#behavior-requirements"}
    methods = ("notifications/cancelled",)

    def named(self, message: Message, call: Call | None) -> Call | None:
        """Gives the sender's request that a cancellation names, waiting or answered."""
        named = message.token("requestId")
        if call is not None or named is None or not named.legal:
            return call
        return self.session.calls.answered(message.sender, named)


class CancelCompletedRequest(_Cancelled):
    """A cancellation names a request whose answer its sender had received long before.

    ## Why it matters
    There is nothing left to stop. The sender has lost sight of its requests, or takes the wrong id.

    ## How to fix
    Forget a request when its answer arrives; cancel only what is believed to be in progress.

    ## When it stays silent
    Within a second answer and cancellation may cross. Answers on a stream that broke may not have arrived. A second
    cancellation of an open request is noted as information.
    """

    id = "cancel-completed-request"
    title = "Cancellation names a request that was already answered"
    confidence = CONTEXTUAL
    yields_to = ("cancel-initialize",)
    by_time = True

    def on_notification(self, message: Message, call: Call | None) -> Found:
        if call is not None and call.requester == message.sender and call.cancelled_seq is not None:
            text = f"request {call.id} was cancelled before, by record {call.cancelled_seq}"
            yield self.found(message, text, related=[call.seq, call.cancelled_seq], severity=INFO)
        done = self.named(message, call)
        if done is None or done.ended is None or (done.answered_on is not None and done.answered_on.error):
            return
        if message.at - done.ended > CROSSING:
            age = message.at - done.ended
            text = f"request {done.id} was answered {age:.1f} s before, by record {done.answer_seq}"
            yield self.found(message, text, related=[done.seq, done.answer_seq], where="/params/requestId")


class CancelInitialize(_Cancelled):
    """The client cancels its own `initialize` request.

    ## Why it matters
    Without initialization there is no session; what the server should do now is not defined.

    ## How to fix
    To give up, close the connection.

    ## When it stays silent
    The id names another request when it has been used again, and the other side's requests are not meant.
    """

    id = "cancel-initialize"
    title = "Client cancelled its initialize request"
    violator = CLIENT
    confidence = CERTAIN

    def on_notification(self, message: Message, call: Call | None) -> Found:
        named = self.named(message, call)
        if named is not None and message.sender == named.requester == CLIENT and named.method == "initialize":
            text = f"{named.id} is the initialize request, which must not be cancelled"
            yield self.found(message, text, related=[named.seq], where="/params/requestId", mark=named.mark)
