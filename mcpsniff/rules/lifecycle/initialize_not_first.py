"""Sessions that begin with something else than initialize."""

from mcpsniff.protocol.lifecycle import Event, Phase
from mcpsniff.rules.rule import CLIENT, Call, Found, Message, Rule, Session, quote
from mcpsniff.rules.when import by_client, in_phase, when


class InitializeNotFirst(Rule):
    """The client's first request is neither initialize nor ping.

    ## Why it matters
    Before the handshake no revision and no capability is agreed on; servers refuse the request or end the session.

    ## How to fix
    Send initialize, wait for its answer, send notifications/initialized, then work.

    ## When it stays silent
    A probe (server/discover, or a request with the 2026-07-28 envelope) may come first, and to a server that proves to
    be of 2026-07-28 no initialize is due. A capture that begins in mid-session proves nothing: over HTTP that is any
    first request that names a session or a revision, and one that no initialize follows.
    """

    title = "Session does not begin with initialize"
    until = "2025-11-25"
    violator = CLIENT
    undecided = True
    spec = {"2024-11-05": "basic/lifecycle#initialization"}
    yields_to = ("initialize-in-batch",)

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._first: Message | None = None  # the request that should have been initialize

    @when(by_client, in_phase(Phase.FRESH))
    def on_request(self, message: Message, call: Call) -> Found:
        session = self.session
        fresh = session.phase is Phase.FRESH and session.initialize is None and self._first is None
        if not fresh or message.sender != CLIENT or session.breach(message, call) is not Event.REQUEST:
            return
        if not session.whole:
            yield self.unchecked("the capture may lack the session's beginning")
        elif not _is_mid_session(message):
            self._first = message

    def on_end(self) -> Found:
        session = self.session
        modern = session.server.modern is not None or session.transport != "stdio"
        if self._first is not None and (session.initialize is not None or not modern):
            later = session.initialize.seq if session.initialize else None
            yield self.found(self._first, f"the first request is {quote(self._first.method)}", related=[later])


def _is_mid_session(message: Message) -> bool:
    exchange = message.exchange
    return exchange is not None and (exchange.identified or exchange.version is not None)
