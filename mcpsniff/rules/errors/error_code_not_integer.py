"""Error codes that are no integers."""

from typing import Any

from mcpsniff.rules.rule import ERROR, Call, Found, Message, Rule, quote
from mcpsniff.rules.when import error, when


class ErrorCodeNotInteger(Rule):
    """An error has a `code` that is no integer: a text, null, a boolean or a fraction.

    ## Why it matters
    Typed clients cannot decode the error and drop the answer; the call hangs.

    ## How to fix
    Use a number: one of JSON-RPC's, or one of your own outside of -32768 to -32000. A name belongs into `data`.

    ## When it stays silent
    -32603.0 and 1e3 are integers. Every integer is legal here, 0 and positive ones included. A missing code is
    error-object-invalid.
    """

    title = "Error code is not an integer"
    tier = 2
    severity = {"2024-11-05": ERROR}
    spec = {
        "2024-11-05": "basic/messages#responses",
        "2025-03-26": "basic/index#responses",
        "2025-11-25": "basic/index#error-responses",
    }

    @when(error)
    def on_answer(self, message: Message, call: Call | None) -> Found:
        if "code" in message.error and not _is_integer(message.error["code"]):
            text = f"the error code is {quote(message.error['code'])}, not an integer"
            yield self.found(message, text, related=[call.seq if call is not None else None], where="/error/code")


def _is_integer(code: Any) -> bool:
    whole = isinstance(code, int) or (isinstance(code, float) and code.is_integer())
    return whole and not isinstance(code, bool)
