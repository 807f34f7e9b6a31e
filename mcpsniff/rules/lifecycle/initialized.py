"""initialized at the wrong time: too early, or twice."""

from mcpsniff.protocol.exchange import HttpExchange
from mcpsniff.protocol.lifecycle import Phase
from mcpsniff.protocol.message import Kind
from mcpsniff.rules.rule import CLIENT, CONTEXTUAL, WARNING, Call, Found, Message, Rule, Session

INITIALIZED = "notifications/initialized"


class _Initialized(Rule):
    """What both have in common."""

    tier = 2
    until = "2025-11-25"
    violator = CLIENT
    methods = (INITIALIZED, "initialize")
    spec = {"2024-11-05": "basic/lifecycle#initialization"}


class InitializedPremature(_Initialized):
    """The client sent notifications/initialized before it had the result of initialize.

    ## Why it matters
    The client says that it is ready before it knows what was agreed on. Servers drop the notification and then wait
    for it, or refuse the session.

    ## How to fix
    Send it once, after the result of initialize has arrived.

    ## When it stays silent
    Where the answer may stand in what the capture lacks, and over HTTP where no initialize was seen at all.
    """

    id = "initialized-premature"
    title = "notifications/initialized sent before a successful initialize response"
    by_time = True

    def on_notification(self, message: Message, call: Call | None) -> Found:
        session = self.session
        if message.method != INITIALIZED or message.sender != CLIENT or session.initialize_result is not None:
            return
        asked = session.initialize
        if not session.whole or (asked is None and message.exchange is not None):
            yield self.unchecked("the capture may lack the answer to initialize")
            return
        when = "without an initialize" if asked is None else "before initialize was answered"
        if asked is not None and session.phase is Phase.FRESH:
            when = "though initialize was refused"
        related = [asked.seq, asked.answer_seq] if asked is not None else []
        yield self.found(message, f"notifications/initialized was sent {when}", related=related)


class InitializedDuplicate(_Initialized):
    """The client sent notifications/initialized more than once for one handshake.

    ## Why it matters
    Servers begin their work twice, or take the client for a new one.

    ## How to fix
    Send it once, right after the result of initialize.

    ## When it stays silent
    For a POST that is sent again because the first one failed, after another initialize, and for one that follows
    another that came too early.
    """

    id = "initialized-duplicate"
    title = "notifications/initialized sent more than once"
    severity = {"2024-11-05": WARNING}
    confidence = CONTEXTUAL

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._opened = 0  # handshakes that the server accepted
        self._sent = 0
        self._latest: Message | None = None

    def on_answer(self, message: Message, call: Call | None) -> Found:
        self._opened += message.kind is Kind.RESULT
        yield from ()

    def on_notification(self, message: Message, call: Call | None) -> Found:
        if message.method != INITIALIZED or message.sender != CLIENT or not self._opened:
            return
        latest, self._latest = self._latest, message
        if latest is not None and latest.exchange is not None and _failed(latest.exchange):
            return
        self._sent += 1
        if latest is not None and self._sent > self._opened:
            text = f"notifications/initialized was sent already, in record {latest.seq}"
            yield self.found(message, text, related=[latest.seq])


def _failed(exchange: HttpExchange) -> bool:
    """Whether a POST was refused, or ended without any response."""
    if exchange.status is None:
        return exchange.closed_seq is not None
    return exchange.status >= 300
