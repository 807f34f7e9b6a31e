"""Results that are no objects."""

from mcpsniff.protocol.message import Kind
from mcpsniff.rules.rule import Call, Found, Message, Rule, quote
from mcpsniff.rules.when import odd, when


class ResultNotObject(Rule):
    """The `result` of a response is null, a string, a number, a boolean or an array.

    ## Why it matters
    JSON-RPC would allow it, MCP asks for an object: the other side fails to read the answer.

    ## How to fix
    Answer with `{}` where there is nothing to say.

    ## When it stays silent
    An empty object is a result.
    """

    title = '"result" is not an object'
    spec = {"2024-11-05": "basic/messages#responses", "2025-03-26": "basic/index#responses"}
    yields_to = ("message-shape-invalid", "result-and-error")

    @when(odd)
    def on_answer(self, message: Message, call: Call | None) -> Found:
        if message.kind is Kind.RESULT and not isinstance(message.raw_result, dict):
            text = f"result is {quote(_json_name(message.raw_result))}"
            yield self.found(message, text, related=[call.seq if call else None], where="/result")


def _json_name(value: object) -> str:
    if isinstance(value, list):
        return "an array"
    return "null" if value is None else repr(value)
