"""Responses that turn 7 into "7"."""

from mcpsniff.rules.rule import Call, Found, Message, Rule, quote
from mcpsniff.rules.when import retyped, when


class ResponseIdTypeChanged(Rule):
    """A response's id equals that of the waiting request in its digits, but is a string for a number or the reverse.

    ## Why it matters
    Ids compare by type and value. Clients find no request for such a response and let the caller wait for ever.

    ## How to fix
    Keep the id as it came, also its JSON type.

    ## When it stays silent
    1 and 1.0 are one id. Where a number and a string with its digits both wait, each has its own answer.
    """

    title = "Response id differs from the request id only in JSON type"
    spec = {"2024-11-05": "basic/messages#responses", "2025-03-26": "basic/index#responses"}

    @when(retyped)
    def on_answer(self, message: Message, call: Call | None) -> Found:
        if call is None or message.id is None or message.id.key == call.id.key:
            return
        if message.id.legal and message.id.as_text == call.id.as_text:
            text = f"the request had the id {quote(call.id.text)}, the response has {quote(message.id.text)}"
            yield self.found(message, text, related=[call.seq], where="/id")
