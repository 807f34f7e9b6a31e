"""Pings that are refused, or answered with more than nothing."""

from mcpsniff.protocol.message import SERVER, Kind
from mcpsniff.rules.echoes import CANCELLATIONS
from mcpsniff.rules.rule import Call, Found, Message, Rule, Session, quote

ALLOWED = frozenset(("_meta",))
SHOWN = 4  # members named in the finding
HELD = 100  # refusals that wait for a proof of the server's era


class PingBadReply(Rule):
    """A ping was answered with an error, or with a result that has members of its own.

    ## Why it matters
    The asker takes the other side for broken and ends the connection.

    ## How to fix
    Answer `{"result": {}}`, also before initialize.

    ## When it stays silent
    `_meta` is allowed. Pings that were cancelled, HTTP error statuses, and servers of 2026-07-28, which have no ping; a
    server whose revision was settled before the capture may be one.
    """

    title = "Ping was answered with an error or a non-empty result"
    tier = 2
    until = "2025-11-25"
    methods = ("ping",)
    spec = {"2024-11-05": "basic/utilities/ping#behavior-requirements"}
    echoes = CANCELLATIONS

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._refused: list[tuple[Message, Call]] = []

    def on_answer(self, message: Message, call: Call | None) -> Found:
        if call is None or call.cancelled_seq is not None or not _is_sound(call):
            return
        if message.kind is Kind.ERROR:
            by_transport = message.sender == SERVER and call.exchange is not None and call.exchange.failed
            if not by_transport and len(self._refused) < HELD:
                self._refused.append((message, call))
        elif not ALLOWED.issuperset(message.result):
            members = ", ".join(quote(name, 20) for name in list(message.result)[:SHOWN])
            yield self.found(message, f"the result of a ping has members: {members}", related=[call.seq])

    def on_end(self) -> Found:
        session = self.session
        modern = session.server.modern is not None and session.initialize_result is None
        if self._refused and not session.from_start and session.era.verdict == "unknown":
            yield self.unchecked("the capture does not show whether the server's revision has ping")
            return
        for message, call in [] if modern else self._refused:
            text = f"a ping was answered with error {message.code}"
            yield self.found(message, text, related=[call.seq])


def _is_sound(call: Call) -> bool:
    """Whether the ping itself gave no reason to refuse it."""
    request = call.request
    return call.id.legal and request.is_version_2 and (not request.has_params or isinstance(request.raw_params, dict))
