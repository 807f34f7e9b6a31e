"""Ids that no request may have."""

from mcpsniff.rules.rule import Call, Found, Message, Rule, quote
from mcpsniff.rules.when import odd, when


class RequestIdInvalid(Rule):
    """A request's id is null, a boolean, an array, an object or a number with a fraction.

    ## Why it matters
    The answer cannot be matched to the request; many peers answer with a null id, or not at all.

    ## How to fix
    Use a string or an integer, a new one for each request.

    ## When it stays silent
    Zero, negative numbers, the empty string and 5.0 are ids. A notification with an id has a rule of its own. A very
    large integer is legal; number-beyond-double tells of it.
    """

    title = "Request id is null or not a string or integer"
    spec = {"2024-11-05": "basic/messages#requests", "2025-03-26": "basic/index#requests"}
    yields_to = ("notification-with-id",)

    @when(odd)
    def on_request(self, message: Message, call: Call) -> Found:
        if not call.id.legal:
            yield self.found(message, f"the id is {quote(call.id.text)}", where="/id")
