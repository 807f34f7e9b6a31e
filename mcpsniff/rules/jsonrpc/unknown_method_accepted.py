"""Success for anything."""

from mcpsniff.protocol.message import Kind
from mcpsniff.protocol.revisions import METHODS, is_vendor
from mcpsniff.protocol.session import Session
from mcpsniff.protocol.shape import Shape
from mcpsniff.rules.rule import HEURISTIC, INFO, Call, Found, Message, Rule, quote
from mcpsniff.rules.when import result, when


def _unknown(shape: Shape, session: Session) -> bool:
    """Whether no revision knows the method."""
    return shape.method not in METHODS


class UnknownMethodAccepted(Rule):
    """A request for a method that nobody defines was answered with a result.

    ## Why it matters
    A handler for everything hides slips: the caller believes that something was done.

    ## How to fix
    Answer -32601 to methods that you do not implement.

    ## When it stays silent
    For names that begin with a domain, and for methods announced under `capabilities.experimental`.
    """

    title = "Receiver returned success for a method nobody defines"
    tier = 3
    severity = {"2024-11-05": INFO}
    until = "2025-11-25"
    confidence = HEURISTIC
    spec = {"2024-11-05": "https://www.jsonrpc.org/specification#error_object"}

    @when(result, _unknown)
    def on_answer(self, message: Message, call: Call | None) -> Found:
        if call is None or message.kind is not Kind.RESULT or call.method in METHODS:
            return
        if not is_vendor(call.method) and not self.session.is_experimental(call.method):
            what = "an empty result" if not message.raw_result else "a result"
            yield self.found(message, f"{quote(call.method)} was answered with {what}", related=[call.seq])
