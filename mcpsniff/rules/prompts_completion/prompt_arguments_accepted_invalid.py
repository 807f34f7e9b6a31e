"""A prompt was given though an argument was missing."""

from mcpsniff.rules.echoes import PROMPTS
from mcpsniff.rules.rule import SERVER, WARNING, Call, Found, Message, Rule, quote

from ._asked import missing_arguments


class PromptArgumentsAcceptedInvalid(Rule):
    """prompts/get lacks an argument that the list marks as required, and is answered with success.

    ## Why it matters
    The prompt has a hole where the argument belongs.

    ## How to fix
    Answer -32602, or do not mark the argument as required.

    ## When it stays silent
    An empty string is an argument. The whole list must have been seen before, with no change notification since.
    """

    title = "Server accepted prompts/get without a required argument"
    tier = 2
    severity = {"2024-11-05": WARNING}
    violator = SERVER
    until = "2025-11-25"
    spec = {"2024-11-05": "server/prompts#implementation-considerations"}
    methods = ("prompts/get",)
    echoes = PROMPTS

    def on_answer(self, message: Message, call: Call | None) -> Found:
        if call is None or call.twin or message.has_error:
            return
        missing, walk = missing_arguments(call, self.session.lists)
        if missing and walk is not None:
            text = f"prompt {quote(call.target)} was given without {', '.join(quote(name, 40) for name in missing[:5])}"
            yield self.found(message, text, related=[call.seq, walk.pages[-1][0]])
