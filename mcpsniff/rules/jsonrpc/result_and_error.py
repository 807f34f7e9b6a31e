"""Responses with a result and an error."""

from mcpsniff.rules.rule import Call, Found, Message, Rule
from mcpsniff.rules.when import odd, when


class ResultAndError(Rule):
    """A response has both a `result` and an `error` member, even if one of them is null.

    ## Why it matters
    Some peers take it for a success, others for a failure; strict ones reject it.

    ## How to fix
    Leave out the member that does not apply. `"error": null` beside a result is JSON-RPC 1.0.

    ## When it stays silent
    An `error` inside the result is data.
    """

    title = "Response has both result and error"
    spec = {"2024-11-05": "basic/messages#responses", "2025-03-26": "basic/index#responses"}

    @when(odd)
    def on_answer(self, message: Message, call: Call | None) -> Found:
        if message.has_result and message.has_error and not message.has_method:
            null = next((name for name in ("error", "result") if getattr(message, f"raw_{name}") is None), None)
            text = f"result and error in one response ({null} is null)" if null else "result and error in one response"
            yield self.found(message, text, related=[call.seq if call else None])
