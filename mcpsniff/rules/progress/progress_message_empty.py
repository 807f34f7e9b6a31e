"""Progress messages that say nothing."""

from mcpsniff.protocol.revisions import LEGACY
from mcpsniff.rules.rule import HEURISTIC, WARNING, Call, Found, Message, Rule, quote
from mcpsniff.rules.when import has, when


class ProgressMessageEmpty(Rule):
    """The `message` of a progress notification is blank, or repeats the token or the number alone.

    ## Why it matters
    Clients show the message to people; a blank one hides what they would show without it.

    ## How to fix
    Say what is being done, or leave the member out.

    ## When it stays silent
    An absent message.
    """

    title = "Progress message is present but says nothing"
    tier = 3
    severity = {"2025-03-26": WARNING}
    confidence = HEURISTIC
    since, until = "2025-03-26", LEGACY[-1]
    spec = {"2025-03-26": "basic/utilities/progress#progress-flow"}
    methods = ("notifications/progress",)

    @when(has("message"))
    def on_notification(self, message: Message, call: Call | None) -> Found:
        said = message.params.get("message")
        if not isinstance(said, str):
            return
        empty = {"", *(str(message.params.get(name)) for name in ("progressToken", "progress"))}
        if said.strip() in empty:
            text = f'the progress message is "{quote(said, 40)}"'
            yield self.found(message, text, related=[call.seq if call is not None else None], where="/params/message")
