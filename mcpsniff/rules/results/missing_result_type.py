"""A modern result has no resultType."""

from mcpsniff.rules.rule import SERVER, Call, Found, Message, Rule
from mcpsniff.rules.when import by_server, lacks, result, when


class MissingResultType(Rule):
    """A result of a server that speaks 2026-07-28 does not say what kind of result it is.

    ## Why it matters
    Clients must read it as complete, and take the server for one of an earlier revision.

    ## How to fix
    Set `resultType` on every result: "complete", "input_required", or a value of a declared extension.

    ## When it stays silent
    Nothing else shows that the server speaks 2026-07-28: then it is a handshake server that answered a request which
    both eras have. Results inside inputResponses, and the result of a finished task, need none.
    """

    title = "Result of a modern request has no resultType"
    violator = SERVER
    since = "2026-07-28"
    spec = {"2026-07-28": "basic/index#result-responses"}

    @when(result, by_server, lacks("resultType"))
    def on_answer(self, message: Message, call: Call | None) -> Found:
        if call is None or message.sender != SERVER or message.has_error:
            return
        if isinstance(message.raw_result, dict) and "resultType" not in message.result:
            text = f"the result of {call.method} has no resultType"
            yield self.found(message, text, related=[call.seq], where="/result/resultType")
