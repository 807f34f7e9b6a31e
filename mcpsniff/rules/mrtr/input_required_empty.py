"""An input_required result that asks for nothing."""

from mcpsniff.rules.rule import INFO, SERVER, Call, Found, Message, Rule
from mcpsniff.rules.when import by_server, unfinished, when


class InputRequiredEmpty(Rule):
    """An input_required result has neither `inputRequests` nor `requestState`.

    ## Why it matters
    The client has nothing to answer and nothing to send back: the retry can only be the same call again.

    ## How to fix
    Put the questions into `inputRequests`, or a state into `requestState` where the client shall just come back.

    ## When it stays silent
    An empty string is a state. An empty `inputRequests` object without a state keeps to the letter and is noted.
    """

    title = "input_required result has neither inputRequests nor requestState"
    violator = SERVER
    since = "2026-07-28"
    spec = {"2026-07-28": "basic/patterns/mrtr#server-requirements-basic-workflow"}

    @when(by_server, unfinished)
    def on_answer(self, message: Message, call: Call | None) -> Found:
        if call is None or message.sender != SERVER or message.result.get("resultType") != "input_required":
            return
        requests, state = message.result.get("inputRequests"), message.result.get("requestState")
        if state is None and requests is None:
            text = f"{call.method} is answered with input_required, without inputRequests and requestState"
            yield self.found(message, text, related=[call.seq])
        elif state is None and requests == {}:
            text = f"{call.method} is answered with input_required and no question"
            yield self.found(message, text, related=[call.seq], severity=INFO)
