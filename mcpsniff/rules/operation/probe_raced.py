"""Clients that do not wait for the answer to their probe."""

from mcpsniff.protocol.marks import Framing
from mcpsniff.protocol.message import CLIENT, Kind
from mcpsniff.rules.rule import CONTEXTUAL, WARNING, Call, Found, Message, Rule, Session
from mcpsniff.rules.when import is_method, result, when

PATIENCE = 1.0  # seconds that a client waits for the answer to its probe
PROBE = "server/discover"


class ProbeRaced(Rule):
    """The client sent `initialize` while its `server/discover` was still unanswered, or used the answers to both.

    ## Why it matters
    Both answers come: client and server may then disagree on the era that they are in.

    ## How to fix
    Wait for the answer to the probe (an error or a timeout counts) before falling back to `initialize`, and then
    ignore what comes late.

    ## When it stays silent
    A client that waited a second for its probe may fall back, and a probe that is never answered races with nothing.
    """

    title = "initialize sent while the probe was still open"
    tier = 2
    severity = {"2024-11-05": WARNING}
    violator = CLIENT
    confidence = CONTEXTUAL
    spec = {"2024-11-05": "basic/lifecycle#initialization", "2026-07-28": "basic/versioning#backward-compatibility"}
    by_time = True

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._raced: tuple[Message, Call] | None = None  # an initialize, and the probe that was open
        self._late: int | None = None  # the result of a probe that came after the handshake had begun

    @when(is_method("initialize"), awake=True)
    def on_request(self, message: Message, call: Call) -> Found:
        if message.sender != CLIENT:
            return
        if message.method == "initialize" and self._raced is None:
            open_ = self.session.calls.all_open(CLIENT)
            early = [one for one in open_ if one.method == PROBE and message.at - one.started < PATIENCE]
            self._raced = (message, early[0]) if early else None
        elif self._late is not None and call.mark.framing is Framing.MODERN and message.method != PROBE:
            handshake = self.session.initialized_seq
            if handshake is not None:
                text = "the client completed the handshake and then used the late answer to its probe as well"
                yield self.found(message, text, related=[handshake, self._late])

    @when(result, is_method(PROBE))
    def on_answer(self, message: Message, call: Call | None) -> Found:
        began = self.session.initialize
        if call is not None and call.method == PROBE and message.kind is Kind.RESULT and began is not None:
            self._late = message.seq if call.seq < began.seq else self._late
            self.stir(awake=self._late is not None)
        yield from ()

    def on_end(self) -> Found:
        if self._raced is not None and self._raced[1].answer_seq is not None:
            message, probe = self._raced
            waited = (message.at - probe.started) * 1000
            text = f"initialize followed {waited:.0f} ms after server/discover, whose answer was still to come"
            yield self.found(message, text, related=[probe.seq, probe.answer_seq])
