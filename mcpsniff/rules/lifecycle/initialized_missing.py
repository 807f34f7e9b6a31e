"""Handshakes that the client did not finish."""

from mcpsniff.protocol.streams import CROSSING
from mcpsniff.rules.rule import CLIENT, Call, Found, Message, Rule, Session, quote
from mcpsniff.rules.when import is_method, odd, when

LONG = 60.0  # seconds that an idle session must have lived to be judged


class InitializedMissing(Rule):
    """The client never sent notifications/initialized, though initialize succeeded and the session went on.

    ## Why it matters
    Servers that wait for it refuse every request, or keep their own requests and notifications back for ever.

    ## How to fix
    Send the notification `notifications/initialized` (that spelling, no id) right after the initialize result.

    ## When it stays silent
    After a refused initialize, in a session that ended at once, and where it may stand in what the capture lacks: over
    HTTP in the second after the end, where it was cut. One that came too early counts as sent.
    """

    title = "Client never sent notifications/initialized"
    until = "2025-11-25"
    violator = CLIENT
    spec = {"2024-11-05": "basic/lifecycle#initialization"}
    awake = True

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._later: Message | None = None  # first request after the initialize result
        self._misspelt: Message | None = None

    @when(odd, awake=True)
    def on_request(self, message: Message, call: Call) -> Found:
        went_on = message.sender == CLIENT and call.method not in ("ping", "initialize")
        if went_on and self._later is None and self.session.initialize_result is not None:
            self._later = message
            self.stir(awake=False)
        yield from ()

    @when(is_method("initialized", "notification/initialized"))
    def on_notification(self, message: Message, call: Call | None) -> Found:
        if message.sender == CLIENT and message.method in ("initialized", "notification/initialized"):
            self._misspelt = message
        yield from ()

    def on_end(self) -> Found:
        session, result = self.session, self.session.initialize_result
        if result is None or session.initialize is None or session.initialized_seq is not None:
            return
        lived = not session.cut and session.end_at - result.at >= LONG
        if (self._later is None and not lived) or self._may_cross():
            return
        if not session.whole or session.unreadable[CLIENT]:
            yield self.unchecked("notifications/initialized may stand in what the capture lacks")
            return
        proof = self._misspelt or self._later
        text = "initialize succeeded, but notifications/initialized never came"
        if self._misspelt is not None:
            text = f"{text}; {quote(self._misspelt.method)} did"
        yield self.found(session.initialize, text, related=[result.seq, proof.seq if proof else None])

    def _may_cross(self) -> bool:
        """Whether the capture was cut while a notification sent before may have been on its way."""
        later = self._later
        if later is None or later.exchange is None:
            return False
        return self.session.cut and self.session.end_at - later.at < CROSSING
