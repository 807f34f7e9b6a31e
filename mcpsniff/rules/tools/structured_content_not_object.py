"""structuredContent is no object."""

from mcpsniff.protocol.content import tool_result
from mcpsniff.rules.rule import SERVER, Call, Found, Message, Rule, quote
from mcpsniff.rules.when import has, when


class StructuredContentNotObject(Rule):
    """`structuredContent` of a tool result is an array, a string, a number, a boolean or null.

    ## Why it matters
    Clients of these revisions refuse the whole result.

    ## How to fix
    Wrap the value: `{"result": [1, 2]}`, and describe that in the outputSchema. Leave the member out where there is
    nothing to give.

    ## When it stays silent
    From 2026-07-28 on any JSON value may stand there. An absent member is structured-content-missing.
    """

    title = "structuredContent is not a JSON object"
    tier = 2
    violator = SERVER
    since, until = "2025-06-18", "2025-11-25"
    spec = {"2025-06-18": "server/tools#structured-content"}
    methods = ("tools/call", "tasks/result")

    @when(has("structuredContent"))
    def on_answer(self, message: Message, call: Call | None) -> Found:
        result = tool_result(self.session, message, call)
        if result is None or "structuredContent" not in result.value:
            return
        value = result.value["structuredContent"]
        if not isinstance(value, dict):
            text = f"tool {quote(result.call.target)}: structuredContent is {quote(value)}"
            where = f"{result.where}/structuredContent"
            yield self.found(message, text, related=[result.call.seq], where=where)
