"""Requests between the answer to initialize and initialized."""

from mcpsniff.protocol.lifecycle import Phase
from mcpsniff.protocol.marks import Framing
from mcpsniff.protocol.streams import CROSSING
from mcpsniff.rules.rule import CLIENT, CONTEXTUAL, WARNING, Call, Found, Message, Rule, Session, quote
from mcpsniff.rules.when import by_client, in_phase, is_method, when

EARLY = ("initialize", "ping")  # methods that may come at any time
HELD = 100  # POSTs that may have crossed initialized


class RequestBeforeInitialized(Rule):
    """The client had the answer to initialize and sent a request before notifications/initialized.

    ## Why it matters
    initialized says that the client is ready. Strict servers refuse what comes before it.

    ## How to fix
    Send notifications/initialized first, and over HTTP wait for its 202.

    ## When it stays silent
    A ping may be sent. Over HTTP a request that was still open when initialized arrived may have been sent after it;
    so may one in the last second of a capture that was cut.
    """

    title = "Client sent ordinary requests before its initialized notification"
    tier = 2
    severity = {"2024-11-05": WARNING}
    until = "2025-11-25"
    violator = CLIENT
    confidence = CONTEXTUAL
    spec = {"2024-11-05": "basic/lifecycle#initialization"}

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._early: list[Message] = []

    @when(by_client, in_phase(Phase.ANSWERED))
    def on_request(self, message: Message, call: Call) -> Found:
        session = self.session
        early = session.phase is Phase.ANSWERED and session.initialized_seq is None
        if message.sender != CLIENT or not early or not _is_ordinary(message):
            return
        if not session.whole or session.unreadable[CLIENT]:
            yield self.unchecked("notifications/initialized may stand in what the capture lacks")
        elif len(self._early) < HELD:
            self._early.append(message)

    @when(is_method("notifications/initialized"))
    def on_notification(self, message: Message, call: Call | None) -> Found:
        if message.sender == CLIENT and message.method == "notifications/initialized":
            yield from self._judge([one for one in self._early if not _is_open(one)], message.seq)
            self._early = []

    def on_end(self) -> Found:
        until = self.session.end_at - (CROSSING if self.session.cut else 0.0)
        yield from self._judge([one for one in self._early if one.exchange is None or one.at <= until], None)

    def _judge(self, early: list[Message], initialized: int | None) -> Found:
        result = self.session.initialize_result
        for request in early:
            text = f"{quote(request.method)} was sent before notifications/initialized"
            related = [result.seq if result is not None else None, initialized]
            yield self.found(request, text, related=related)


def _is_open(request: Message) -> bool:
    return request.exchange is not None and request.exchange.closed_seq is None


def _is_ordinary(request: Message) -> bool:
    method = request.method or ""
    is_probe = request.mark.framing is Framing.MODERN
    return not is_probe and method not in EARLY and not method.startswith("notifications/")
