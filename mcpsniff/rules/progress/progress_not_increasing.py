"""Progress that stands still or goes back."""

from mcpsniff.protocol.calls import progress_of
from mcpsniff.rules.rule import ERROR, Call, Found, Message, Rule


class ProgressNotIncreasing(Rule):
    """A progress value is not greater than the one before it for the same token.

    ## Why it matters
    Progress bars jump back, and a client that takes growth as a sign of life gives up.

    ## How to fix
    Send a notification only when the value has grown. The total may change, the value may not fall.

    ## When it stays silent
    Values are compared as decimals, not as binary fractions. A token that is used again starts anew. Values of two
    HTTP streams may have overtaken each other and are not compared.
    """

    title = "progress value did not increase"
    severity = {"2024-11-05": ERROR}
    spec = {
        "2024-11-05": "basic/utilities/progress#progress-flow",
        "2026-07-28": "basic/patterns/progress#progress-flow",
    }
    methods = ("notifications/progress",)
    yields_to = ("progress-after-completion",)

    def on_notification(self, message: Message, call: Call | None) -> Found:
        value = progress_of(message)
        if call is None or value is None or call.progress is None or message.exchange is not call.progress_on:
            return
        if value <= call.progress:
            how = "stayed at" if value == call.progress else f"fell from {call.progress} to"
            yield self.found(
                message,
                f"progress of token {call.token} {how} {value}",
                related=[call.progress_seq, call.seq],
                where="/params/progress",
            )
