"""Modern servers without server/discover."""

from mcpsniff.protocol.message import Kind
from mcpsniff.protocol.revisions import META_CLIENT_CAPABILITIES, META_VERSION, METHOD_NOT_FOUND
from mcpsniff.rules.rule import CONTEXTUAL, SERVER, Call, Found, Message, Rule, Session

HELD = 100  # refusals that wait for a proof of the server's era


class DiscoverNotImplemented(Rule):
    """A server that speaks 2026-07-28 answered server/discover with "method not found".

    ## Why it matters
    Clients of both eras take the answer for that of an old server and fall back to a handshake that is not there.

    ## How to fix
    Answer server/discover with the supported versions, the capabilities and who you are.

    ## When it stays silent
    Without a certain sign that the server is of 2026-07-28 the answer is what a probe of an old server gets. A
    discover without its envelope, and one after a handshake, prove nothing.
    """

    title = "Modern server does not implement server/discover"
    since = "2026-07-28"
    violator = SERVER
    confidence = CONTEXTUAL
    methods = ("server/discover",)
    spec = {"2026-07-28": "server/discover"}

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._refused: list[tuple[Message, Call]] = []

    def on_answer(self, message: Message, call: Call | None) -> Found:
        refused = message.kind is Kind.ERROR and message.code == METHOD_NOT_FOUND and message.sender == SERVER
        if call is not None and refused and _well_formed(call.request) and not call.mark.opened:
            self._refused = [*self._refused, (message, call)][:HELD]
        yield from ()

    def on_end(self) -> Found:
        proved = self.session.server.proved
        for message, call in self._refused if proved is not None else ():
            text = "server/discover was refused with -32601, though the server speaks 2026-07-28"
            yield self.found(message, text, related=[call.seq, proved])


def _well_formed(request: Message) -> bool:
    meta = request.meta
    return isinstance(meta.get(META_VERSION), str) and isinstance(meta.get(META_CLIENT_CAPABILITIES), dict)
