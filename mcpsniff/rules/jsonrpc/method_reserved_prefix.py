"""Method names that JSON-RPC keeps for itself."""

from mcpsniff.protocol.session import Session
from mcpsniff.protocol.shape import Shape
from mcpsniff.rules.rule import Call, Found, Message, Rule, quote
from mcpsniff.rules.when import when

RESERVED = "rpc."


def _reserved(shape: Shape, session: Session) -> bool:
    """Whether the method has a reserved prefix."""
    return (shape.method or "").startswith(RESERVED)


class MethodReservedPrefix(Rule):
    """A method name begins with `rpc.`.

    ## Why it matters
    JSON-RPC reserves these names; libraries answer them themselves or refuse them.

    ## How to fix
    Begin names of your own with a domain that is yours, as in `com.example/stats`.

    ## When it stays silent
    For every other name.
    """

    title = 'Method name starts with "rpc."'
    tier = 2
    spec = {"2024-11-05": "https://www.jsonrpc.org/specification#request_object"}

    @when(_reserved)
    def on_request(self, message: Message, call: Call) -> Found:
        yield from self._judge(message)

    @when(_reserved)
    def on_notification(self, message: Message, call: Call | None) -> Found:
        yield from self._judge(message)

    def _judge(self, message: Message) -> Found:
        if (message.method or "").startswith(RESERVED):
            yield self.found(message, f"the method is {quote(message.method)}", where="/method")
