"""Progress of requests that are over."""

from mcpsniff.protocol.message import OTHER
from mcpsniff.protocol.revisions import LEGACY, MODERN
from mcpsniff.rules.echoes import CANCELLATIONS, TASK_MEMBERS
from mcpsniff.rules.rule import ERROR, Call, Found, Message, Rule
from mcpsniff.rules.when import answered, when

CROSSING = 1.0  # seconds in which messages on two streams may have overtaken each other (trap T6)


class ProgressAfterCompletion(Rule):
    """A progress notification came after the answer to its request.

    ## Why it matters
    The receiver has forgotten the token; a late 100 % shows up as an error, or as progress of whatever uses it next.

    ## How to fix
    Stop reporting before the answer is written; wait for reporting tasks that still run.

    ## When it stays silent
    The token may serve a newer request. Across two HTTP streams the order is only known after a second, and is not
    judged in 2026-07-28. A request that made a task (2025-11-25) goes on, and one that was cancelled is forgiven.
    """

    title = "Progress notification after the request was answered"
    severity = {"2024-11-05": ERROR}
    spec = {
        "2024-11-05": "basic/utilities/progress#behavior-requirements",
        "2026-07-28": "basic/patterns/progress#behavior-requirements",
    }
    methods = ("notifications/progress",)
    by_time = True
    echoes = (*CANCELLATIONS, *TASK_MEMBERS)

    @when(answered)
    def on_notification(self, message: Message, call: Call | None) -> Found:
        if call is None or call.requester != OTHER[message.sender] or call.ended is None:
            return
        if call.cancelled_seq is not None or call.made_task:
            return
        same = message.exchange is call.answered_on
        if same or message.at - call.ended > CROSSING:
            text = f"progress for token {call.token} after request {call.id} was answered by record {call.answer_seq}"
            revisions = (*LEGACY, MODERN) if same else LEGACY
            yield self.found(message, text, related=[call.answer_seq, call.seq], only_in=revisions)
