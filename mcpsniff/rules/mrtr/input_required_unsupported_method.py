"""An input_required result where the method may not ask back."""

from mcpsniff.protocol.revisions import INPUT_REQUIRED, METHODS
from mcpsniff.rules.echoes import CLIENT_CAPABILITIES
from mcpsniff.rules.rule import INFO, SERVER, Call, Found, Message, Rule, quote
from mcpsniff.rules.when import by_server, unfinished, when


class InputRequiredUnsupportedMethod(Rule):
    """The server asks for input in answer to a method other than tools/call, prompts/get and resources/read.

    ## Why it matters
    Clients do not expect a question there and take the answer for a broken result.

    ## How to fix
    Ask in the call that needs the input; answer everything else at once.

    ## When it stays silent
    A task that waits for input is shown by a complete result of tasks/get. A method of a declared extension is only
    noted.
    """

    title = "input_required result on a method that may not return one"
    violator = SERVER
    since = "2026-07-28"
    spec = {"2026-07-28": "basic/patterns/mrtr#supported-requests"}
    echoes = CLIENT_CAPABILITIES

    @when(by_server, unfinished)
    def on_answer(self, message: Message, call: Call | None) -> Found:
        if call is None or message.sender != SERVER or message.result.get("resultType") != "input_required":
            return
        if call.method not in INPUT_REQUIRED:
            extended = call.method not in METHODS and bool((call.client_capabilities or {}).get("extensions"))
            text = f"{quote(call.method)} is answered with input_required"
            yield self.found(message, text, related=[call.seq], severity=INFO if extended else None)
