"""Objects that are no request, notification or response."""

from mcpsniff.protocol.message import Kind
from mcpsniff.rules.rule import Found, Message, Rule, quote
from mcpsniff.rules.when import odd, when


class MessageShapeInvalid(Rule):
    """An object mixes the members of a request and a response, has none of them, or its method is no string.

    ## Why it matters
    Nobody can tell what the message is; peers drop it or answer -32600.

    ## How to fix
    A request has `method` and `id`, a notification `method` alone, a response `id` and either `result` or `error`.

    ## When it stays silent
    A response without result and error is response-empty; wrong types inside have rules of their own. Further members
    beside the standard ones are allowed. On stdio an object with no member of a message is noise, over HTTP the rules
    of bodies and events judge it.
    """

    title = "Object mixes or lacks the members that make a request, notification or response"
    spec = {"2024-11-05": "basic/messages", "2025-03-26": "basic/index#messages"}
    yields_to = ("http-post-body-invalid", "sse-event-not-jsonrpc")

    @when(odd)
    def on_object(self, message: Message) -> Found:
        fault = None if self._is_for_others(message) else _fault(message)
        if fault is not None:
            yield self.found(message, fault, fault=fault)

    def _is_for_others(self, message: Message) -> bool:
        return not message.is_object or message.is_foreign or (message.is_log_line and not message.batch)


def _fault(message: Message) -> str | None:
    if message.has_method and (message.has_result or message.has_error):
        return f"method stands beside {'result' if message.has_result else 'error'}"
    if message.has_method and message.method is None:
        return f"method is no string: {quote(message.value.get('method'))}"
    if message.kind is Kind.MALFORMED and message.id is None:
        return "none of method, result and error"
    return None
