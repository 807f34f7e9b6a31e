"""Cancellations that name nothing."""

from mcpsniff.protocol.revisions import LEGACY
from mcpsniff.rules.rule import ERROR, Call, Found, Message, Rule


class CancelWithoutRequestId(Rule):
    """A `notifications/cancelled` has no `requestId`, or one that is neither a string nor an integer.

    ## Why it matters
    The receiver cannot know what to stop; the work goes on.

    ## How to fix
    Put the id of the request into `params.requestId`, with its JSON type. A task is ended with tasks/cancel.

    ## When it stays silent
    2025-11-25 made the member optional in its schema, for tasks, which must not be cancelled this way: it is needed
    there, too. Other members are free.
    """

    title = "notifications/cancelled lacks requestId"
    tier = 2
    severity = {"2024-11-05": ERROR}
    until = LEGACY[-1]
    spec = {"2024-11-05": "basic/utilities/cancellation#cancellation-flow"}
    methods = ("notifications/cancelled",)

    def on_notification(self, message: Message, call: Call | None) -> Found:
        named = message.token("requestId")
        if named is None or not named.legal:
            text = "the cancellation names no request" if named is None else f"requestId is {named}, which is no id"
            yield self.found(message, text, where="/params/requestId")
