"""Errors that are none."""

from mcpsniff.protocol.message import Kind
from mcpsniff.rules.rule import Call, Found, Message, Rule, quote
from mcpsniff.rules.when import error, when


class ErrorObjectInvalid(Rule):
    """The `error` of a response is no object, or lacks its code or its message, or the message is no string.

    ## Why it matters
    Clients cannot tell what went wrong; typed ones fail while they read the response.

    ## How to fix
    Send `{"code": -32603, "message": "what went wrong"}`, and details in `data`.

    ## When it stays silent
    `data` may be anything, and further members are free. A code of a wrong type has a rule of its own. Error bodies
    over HTTP that are no JSON-RPC are none of it.
    """

    title = '"error" is not an object with code and message'
    tier = 2
    spec = {"2024-11-05": "basic/messages#responses", "2025-03-26": "basic/index#responses"}
    yields_to = ("message-shape-invalid", "result-and-error")

    @when(error)
    def on_answer(self, message: Message, call: Call | None) -> Found:
        fault = None if message.kind is not Kind.ERROR or message.is_foreign else _fault(message.raw_error)
        if fault is not None:
            yield self.found(message, fault, related=[call.seq if call else None], where="/error")


def _fault(error: object) -> str | None:
    if not isinstance(error, dict):
        return f"error is {quote('null' if error is None else error)}"
    absent = [name for name in ("code", "message") if name not in error]
    if absent:
        return f"error lacks {' and '.join(absent)}"
    return None if isinstance(error["message"], str) else f"error.message is {quote(error['message'])}"
