"""The order of an acknowledgment and what it acknowledges."""

from mcpsniff.protocol.subscriptions import ACKNOWLEDGED
from mcpsniff.rules.rule import ERROR, SERVER, Call, Found, Message, Rule


class ListenAckNotFirst(Rule):
    """The first message of a subscription is not its acknowledgment.

    ## Why it matters
    A client learns from the acknowledgment what the following notifications mean; what comes before may be dropped.

    ## How to fix
    Acknowledge before the subscription is registered with whatever sends notifications.

    ## When it stays silent
    Comments of the event stream may come first, and on stdio messages of other subscriptions and requests. A stream
    whose listen request was not captured is not judged.
    """

    title = "A notification for the subscription preceded the acknowledgment"
    severity = {"2026-07-28": ERROR}
    since = "2026-07-28"
    violator = SERVER
    spec = {"2026-07-28": "basic/patterns/subscriptions#acknowledgment"}
    yields_to = ("request-scoped-on-listen",)

    def on_notification(self, message: Message, call: Call | None) -> Found:
        if message.sender != SERVER or message.method == ACKNOWLEDGED:
            return
        sub = self.session.subscriptions.of(message)
        if sub is None or sub.tagged or sub.acked_seq is not None or sub.ended_seq is not None:
            return
        if self.session.holes:
            yield self.unchecked("part of the traffic was not recorded")
        else:
            text = f"{message.method} came before subscription {sub.call.id} was acknowledged"
            yield self.found(message, text, related=[sub.call.seq], fault=sub.call.id.text)
