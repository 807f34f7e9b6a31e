"""Clients that ask again and again for the era."""

from mcpsniff.protocol.message import Kind
from mcpsniff.rules.rule import CLIENT, HEURISTIC, SERVER, WARNING, Call, Found, Message, Rule, Session

REPEATS = 2
WITHIN = 3600.0  # seconds


class EraReprobed(Rule):
    """The client probes for 2026-07-28 again although the handshake had shown that the server is older.

    ## Why it matters
    Each probe costs a round trip, and some old servers end at it.

    ## How to fix
    Keep the verdict for as long as the process, or for the address, and probe again only after an error that speaks
    against it.

    ## When it stays silent
    For one repeat, and for server/discover on a server that answers it.
    """

    title = "Client probes the era again although it is known"
    tier = 3
    severity = {"2026-07-28": WARNING}
    since = "2026-07-28"
    violator = CLIENT
    confidence = HEURISTIC
    undecided = True  # a failed probe is of no era
    methods = ("server/discover",)
    spec = {"2026-07-28": "basic/versioning#backward-compatibility-with-initialization-based-versions"}

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._probes: list[Call] = []  # refused after the handshake, the latest

    def on_answer(self, message: Message, call: Call | None) -> Found:
        if call is None or message.sender != SERVER or message.kind is not Kind.ERROR or not call.mark.opened:
            return
        self._probes = [*self._probes[1 - REPEATS :], call]
        first = self._probes[0]
        if len(self._probes) == REPEATS and call.started - first.started <= WITHIN:
            text = f"{REPEATS} probes more were refused after the handshake, the first in record {first.seq}"
            yield self.found(call, text, related=[self.session.era.accepted, first.seq])
