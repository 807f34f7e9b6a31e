"""Params by position."""

from mcpsniff.rules.rule import Call, Found, Message, Rule, quote
from mcpsniff.rules.when import odd, when


class ParamsNotObject(Rule):
    """The `params` of a request or notification are an array, a string, a number, a boolean or null.

    ## Why it matters
    JSON-RPC allows arrays, MCP does not: receivers look members up by name and fail.

    ## How to fix
    Send an object, or leave `params` out.

    ## When it stays silent
    Absent and empty params are fine.
    """

    title = '"params" is present but is not an object'
    tier = 2
    spec = {"2024-11-05": "basic/messages#requests", "2025-03-26": "basic/index#requests"}

    @when(odd)
    def on_request(self, message: Message, call: Call) -> Found:
        yield from self._judge(message)

    @when(odd)
    def on_notification(self, message: Message, call: Call | None) -> Found:
        yield from self._judge(message)

    def _judge(self, message: Message) -> Found:
        if message.has_params and not isinstance(message.raw_params, dict):
            shown = quote(bytes(message.head.params or b"").decode("utf-8", "replace"))
            yield self.found(message, f"the params of {quote(message.method)} are {shown}", where="/params")
