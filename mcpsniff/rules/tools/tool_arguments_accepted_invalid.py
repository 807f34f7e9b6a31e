"""The server took arguments that its own inputSchema forbids."""

from mcpsniff.protocol.content import tool_result
from mcpsniff.protocol.schema import Unjudged
from mcpsniff.rules.echoes import TOOLS
from mcpsniff.rules.rule import CONTEXTUAL, SERVER, Call, Found, Message, Rule, quote
from mcpsniff.rules.when import result, when


class ToolArgumentsAcceptedInvalid(Rule):
    """A tool call whose arguments do not fit the tool's `inputSchema` was answered with success.

    ## Why it matters
    The tool worked with something that it says it does not take: the outcome is chance.

    ## How to fix
    Validate arguments by the published schema before the tool runs, and answer with `isError` or -32602. Where values
    are converted on purpose ("5" for 5), say so in the schema.

    ## When it stays silent
    Errors of either kind. The tool must have been listed before the call, with no change notification since. Formats
    are notes. A schema that mcpsniff cannot judge is reported as unchecked.
    """

    title = "Server accepted tool arguments that violate its own inputSchema"
    tier = 2
    violator = SERVER
    confidence = CONTEXTUAL
    until = "2025-11-25"
    spec = {"2024-11-05": "server/tools#security-considerations"}
    methods = ("tools/call",)
    by_value = True
    values = ("/params/name", "/params/arguments", "/params/inputResponses", "/result/isError", *TOOLS)

    @when(result)
    def on_answer(self, message: Message, call: Call | None) -> Found:
        result = tool_result(self.session, message, call)
        if result is None or result.value.get("isError") is True:
            return
        tool = self.session.lists.described(result.call)
        arguments = result.call.request.params.get("arguments", {})
        if tool is None or not isinstance(arguments, dict):
            return
        try:
            flaws = tool.judged("inputSchema").flaws(arguments)
        except Unjudged as why:
            yield self.unchecked(f"an inputSchema: {why}")
            return
        if flaws:
            text = f"tool {quote(result.call.target)} took arguments of which {quote(str(flaws[0]), 160)}"
            yield self.found(message, text, related=[result.call.seq, tool.seq])
