"""Notifications that ask for an answer."""

from mcpsniff.protocol.session import Session
from mcpsniff.protocol.shape import Shape
from mcpsniff.rules.rule import Call, Found, Message, Rule, quote
from mcpsniff.rules.when import when


def _notifies(shape: Shape, session: Session) -> bool:
    """Whether the method is that of a notification."""
    return (shape.method or "").startswith("notifications/")


class NotificationWithId(Rule):
    """A message whose method begins with `notifications/` carries an id.

    ## Why it matters
    With an id it is a request: the receiver answers "method not found", or waits, and the notification has no effect.

    ## How to fix
    Leave the id out, also a null one.

    ## When it stays silent
    An id inside params, as in `params.requestId`, belongs there.
    """

    title = "A notification carries an id"
    spec = {"2024-11-05": "basic/messages#notifications", "2025-03-26": "basic/index#notifications"}

    @when(_notifies)
    def on_request(self, message: Message, call: Call) -> Found:
        if call.method.startswith("notifications/"):
            yield self.found(message, f"{quote(call.method)} carries the id {quote(call.id.text)}", where="/id")
