"""Version negotiation that did not end where it began."""

from mcpsniff.protocol.lifecycle import Phase
from mcpsniff.protocol.message import CLIENT, SERVER, Kind
from mcpsniff.rules.rule import INFO, Call, Found, Message, Moment, Rule, Session, quote
from mcpsniff.rules.when import by_client, in_phase, is_method, result, when


class VersionCounterOffered(Rule):
    """The server answered `initialize` with another version than the client asked for.

    ## Why it matters
    It is negotiation as designed. Whoever wonders why a client left, or a feature is missing, finds the reason here.

    ## How to fix
    Nothing is wrong. Update the older side if you need what the newer revision has.

    ## When it stays silent
    Where the version asked for was accepted. That the client left is told as its own decision.
    """

    title = "Server offered another version than asked"
    tier = 2
    severity = {"2024-11-05": INFO}
    until = "2025-11-25"
    violator = SERVER
    spec = {"2024-11-05": "basic/lifecycle#version-negotiation"}
    by_value = True

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._offer: tuple[Message, Call, str] | None = None
        self._went_on: int | None = None  # the client's next message

    @when(result, is_method("initialize"))
    def on_answer(self, message: Message, call: Call | None) -> Found:
        if call is None or call.method != "initialize" or message.kind is not Kind.RESULT:
            return
        asked, given = call.request.params.get("protocolVersion"), message.result.get("protocolVersion")
        different = isinstance(asked, str) and isinstance(given, str) and asked != given
        if self.session.initialize_result is None and different:
            self._offer = (message, call, f"{quote(asked, 40)} was asked for, {quote(given, 40)} offered")
        yield from ()

    @when(by_client, in_phase(Phase.ANSWERED))
    def on_object(self, message: Message) -> Found:
        if self._offer is not None and self._went_on is None and message.sender == CLIENT:
            self._went_on = message.seq
        yield from ()

    def on_end(self) -> Found:
        if self._offer is None:
            return
        message, call, text = self._offer
        left = None if self.session.process is None else self.session.process.eof.get("stdin")
        then = "the client went on" if self._went_on is not None else "the client sent nothing more"
        yield self.found(message, f"{text}; {then}", related=[call.seq, self._went_on])
        if self._went_on is None and left is not None and not self.session.holes:
            text = f"{text}; the client left"
            place = Moment(*left)
            place.mark = message.mark
            yield self.found(place, text, related=[call.seq, message.seq], violator=CLIENT)
