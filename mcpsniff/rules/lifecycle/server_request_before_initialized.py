"""Servers that ask before they may."""

from mcpsniff.protocol.lifecycle import Event
from mcpsniff.rules.rule import CLIENT, SERVER, WARNING, Call, Found, Message, Rule, Session, quote
from mcpsniff.rules.when import by_server, is_method, when

CROSSING = 1.0  # seconds in which initialized may have been under way
HELD = 100  # requests that wait for initialized


class ServerRequestBeforeInitialized(Rule):
    """The server sent a request other than ping before the client's notifications/initialized.

    ## Why it matters
    The client is not ready: it drops the request or refuses it, and the server waits.

    ## How to fix
    Keep requests back until notifications/initialized has arrived.

    ## When it stays silent
    Pings and notifications are allowed. Where initialized followed within a second the two may have crossed.
    """

    title = "Server sent a request other than ping before notifications/initialized"
    severity = {"2024-11-05": WARNING}
    until = "2025-11-25"
    violator = SERVER
    spec = {"2024-11-05": "basic/lifecycle#initialization"}
    by_time = True

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._early: list[Message] = []

    @when(by_server)
    def on_request(self, message: Message, call: Call) -> Found:
        if message.sender != SERVER or self.session.breach(message, call) is not Event.REQUEST:
            return
        if not self.session.whole:
            yield self.unchecked("the capture may lack notifications/initialized")
        elif len(self._early) < HELD:
            self._early.append(message)

    @when(is_method("notifications/initialized"))
    def on_notification(self, message: Message, call: Call | None) -> Found:
        if message.sender == CLIENT and message.method == "notifications/initialized":
            yield from self._judge(message.at, message.seq)

    def on_end(self) -> Found:
        if self.session.initialized_seq is None:
            yield from self._judge(self.session.end_at, None)

    def _judge(self, until: float, initialized: int | None) -> Found:
        early, self._early = self._early, []
        for message in early:
            if until - message.at > CROSSING:
                when = "before" if initialized is not None else "without ever getting"
                text = f"{quote(message.method)} was sent {when} notifications/initialized"
                yield self.found(message, text, related=[initialized])
