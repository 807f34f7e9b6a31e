"""Methods of the other side."""

from mcpsniff.protocol.message import CLIENT, SERVER
from mcpsniff.protocol.revisions import METHODS, MODERN, REVISIONS
from mcpsniff.protocol.shape import Shape
from mcpsniff.rules.rule import ERROR, INFO, UNKNOWN, WARNING, Call, Found, Message, Rule, Session, quote
from mcpsniff.rules.when import when


def _wrong_way(shape: Shape, session: Session) -> bool:
    """Whether the other side is to send this method."""
    return shape.sender not in METHODS[shape.method or ""].senders


class MethodWrongDirection(Rule):
    """The client sent a method that only servers may send, or the server one that only clients may.

    ## Why it matters
    The other side has no handler for it: a request is refused, a notification has no effect.

    ## How to fix
    Look the sender up in the specification. To list what the client offers, a server has roots, sampling and
    elicitation alone.

    ## When it stays silent
    For methods of both sides, as ping and the notifications about progress and cancellation; for methods that the
    agreed revision does not have. In 2026-07-28 every request of a server is server-initiated-request. Where the
    server seems to send initialize, the capture has its directions swapped: said once, and nothing else. A capture of
    stdio that does not hold the beginning may be swapped until the client's first request shows which side is which.
    """

    title = "A core method or notification travelled in the wrong direction"
    tier = 2
    severity = {"2024-11-05": ERROR, "2026-07-28": WARNING}
    spec = {"2024-11-05": "schema", "2026-07-28": "basic/transports/index#messages"}
    methods = tuple(name for name, row in METHODS.items() if len(row.senders) == 1)
    yields_to = ("method-not-in-revision", "notification-with-id")

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._swapped = False

    @when(_wrong_way)
    def on_request(self, message: Message, call: Call) -> Found:
        swapped = message.sender == SERVER and call.method == "initialize" and self.session.first_request is None
        if swapped and not self._swapped:
            self._swapped = True
            text = "initialize comes from the server: the capture seems to have its directions swapped"
            yield self.found(message, text, severity=INFO, violator=UNKNOWN, fault="swapped")
        yield from self._judge(message)

    @when(_wrong_way)
    def on_notification(self, message: Message, call: Call | None) -> Found:
        yield from self._judge(message)

    def _judge(self, message: Message) -> Found:
        row = METHODS[message.method or ""]
        if message.sender in row.senders or self._swapped:
            return
        if not self._sides_known():
            yield self.unchecked("the capture does not show which side is the client")
            return
        known = [revision for revision in REVISIONS if row.defined_in(revision)]
        if message.sender == SERVER and message.head.id and MODERN in known:
            known.remove(MODERN)  # server-initiated-request
        text = f"{quote(message.method)} comes from the {message.sender}, but is for the {row.senders[0]} to send"
        yield self.found(message, text, fault=message.method or "", only_in=known, where="/method")

    def _sides_known(self) -> bool:
        """Whether the directions of the capture are surely right."""
        if self.session.transport != "stdio" or self.session.from_start:
            return True
        first = self.session.first_request
        row = METHODS.get(first.method or "") if first is not None else None
        return row is not None and row.senders == (CLIENT,)
