"""notifications/roots/list_changed: sent though not declared, or not sent though roots changed."""

from mcpsniff.protocol.revisions import declares
from mcpsniff.rules.echoes import CLIENT_CAPABILITIES
from mcpsniff.rules.rule import CLIENT, ERROR, WARNING, Call, Found, Message, Rule, Session, quote

CHANGED = "notifications/roots/list_changed"
LIST = "roots/list"
CROSSING = 1.0  # seconds in which messages of both sides may cross (trap T6)


class RootsListChangedUndeclared(Rule):
    """The client sends notifications/roots/list_changed without declaring `roots.listChanged`.

    ## Why it matters
    Servers go by the declaration; the notification is not expected.

    ## How to fix
    Declare `"roots": {"listChanged": true}`.

    ## When it stays silent
    Where the client's capabilities were not seen.
    """

    id = "roots-list-changed-undeclared"
    title = "Client sent notifications/roots/list_changed without declaring roots.listChanged"
    tier = 2
    severity = {"2024-11-05": WARNING, "2025-06-18": ERROR}
    violator = CLIENT
    until = "2025-11-25"
    spec = {"2024-11-05": "client/roots#capabilities"}
    methods = (CHANGED,)
    echoes = CLIENT_CAPABILITIES

    def on_notification(self, message: Message, call: Call | None) -> Found:
        asked, declared = self.session.initialize, self.session.client_capabilities
        if message.sender != CLIENT or asked is None or declared is None:
            return
        if not declares(declared, ("roots", "listChanged")):
            text = f"roots/list_changed, but record {asked.seq} does not declare roots.listChanged"
            yield self.found(message, text, related=[asked.seq])


class RootsListChangedMissing(Rule):
    """The roots are others than before, and the client, which promised to say so, did not.

    ## Why it matters
    The server works on with folders that are no longer open to it.

    ## How to fix
    Send notifications/roots/list_changed whenever a root comes or goes.

    ## When it stays silent
    Without `roots.listChanged`, where only order or names changed, and where the notification came within a second
    after the second list.
    """

    id = "roots-list-changed-missing"
    title = "Roots changed without notifications/roots/list_changed"
    tier = 2
    violator = CLIENT
    until = "2025-11-25"
    spec = {"2024-11-05": "client/roots#root-list-changes"}
    methods = (LIST, CHANGED)
    by_time = True
    echoes = ("/result/roots",)

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._before: tuple[frozenset[str], int] | None = None  # roots of the latest list, and its record
        self._told = False  # the client has said since that roots changed
        self._waiting: tuple[Message, str, int] | None = None  # a changed list whose notification may still come

    def on_answer(self, message: Message, call: Call | None) -> Found:
        roots = _uris(message)
        if roots is None or message.sender != CLIENT:
            return
        yield from self._give_up()
        before, self._before = self._before, (roots, message.seq)
        promised = declares(self.session.client_capabilities, ("roots", "listChanged"))
        if before is not None and before[0] != roots and promised and not self._told:
            changed = sorted(before[0] ^ roots)
            text = f"root {quote(changed[0])} came or went since record {before[1]}"
            self._waiting = (message, text, before[1])
        self._told = False

    def on_notification(self, message: Message, call: Call | None) -> Found:
        if message.sender != CLIENT:
            return
        self._told = True
        if self._waiting is not None and message.at - self._waiting[0].at <= CROSSING:
            self._waiting = None
        yield from ()

    def on_end(self) -> Found:
        session = self.session
        if self._waiting is not None and not (session.cut and session.end_at - self._waiting[0].at <= CROSSING):
            yield from self._give_up()

    def _give_up(self) -> Found:
        if self._waiting is not None:
            message, text, before = self._waiting
            self._waiting = None
            yield self.found(message, text, related=[before])


def _uris(answer: Message) -> frozenset[str] | None:
    roots = answer.result.get("roots")
    if not isinstance(roots, list):
        return None
    return frozenset(uri for root in roots if isinstance(root, dict) and isinstance(uri := root.get("uri"), str))
