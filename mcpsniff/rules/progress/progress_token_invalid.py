"""Progress tokens of the wrong type."""

from mcpsniff.protocol.ids import JsonId
from mcpsniff.rules.rule import ERROR, Call, Found, Message, Rule
from mcpsniff.rules.when import is_method, when, with_token


class ProgressTokenInvalid(Rule):
    """A progress token is neither a string nor an integer, or a progress notification has none.

    ## Why it matters
    The receiver cannot relate the progress to its request, or refuses the whole message.

    ## How to fix
    Choose a string or an integer for `_meta.progressToken` and send it back unchanged as `progressToken`. Who wants no
    progress leaves the member out instead of sending null.

    ## When it stays silent
    0, "" and 1.0 are tokens like any other, and a token may equal the id of its request.
    """

    title = "progressToken is not a string or integer"
    tier = 2
    severity = {"2024-11-05": ERROR}
    spec = {
        "2024-11-05": "basic/utilities/progress#progress-flow",
        "2026-07-28": "basic/patterns/progress#progress-flow",
    }

    @when(with_token)
    def on_request(self, message: Message, call: Call) -> Found:
        if call.token is not None and not call.token.legal:
            yield self.found(message, _wrong(call.token), where="/params/_meta/progressToken")

    @when(is_method("notifications/progress"))
    def on_notification(self, message: Message, call: Call | None) -> Found:
        if message.method != "notifications/progress":
            return
        token = message.token("progressToken")
        if token is None:
            yield self.found(message, "the progress notification has no progressToken", where="/params/progressToken")
        elif not token.legal:
            yield self.found(message, _wrong(token), where="/params/progressToken")


def _wrong(token: JsonId) -> str:
    shown = token.text if len(token.text) <= 40 else f"{token.text[:39]}…"
    return f"progressToken is {shown}, neither a string nor an integer"
