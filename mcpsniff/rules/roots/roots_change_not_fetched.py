"""The server does not heed a change of the roots."""

from mcpsniff.rules.rule import CLIENT, HEURISTIC, INFO, SERVER, Call, Found, Message, Rule, Session

CROSSING = 1.0  # seconds in which messages of both sides may cross (trap T6)
PATIENCE = 30.0  # seconds in which a server asks again


class RootsChangeNotFetched(Rule):
    """The client said that its roots changed, and the server, which uses roots, did not ask for them.

    ## Why it matters
    The server works on with folders that are no longer open to it.

    ## How to fix
    Send roots/list after each notifications/roots/list_changed.

    ## When it stays silent
    Servers that never asked for roots, captures that stop within 30 seconds, and Streamable HTTP, where the server may
    have no stream to ask on.
    """

    title = "Server did not ask for the roots after a change notification"
    tier = 3
    severity = {"2024-11-05": INFO}
    violator = SERVER
    confidence = HEURISTIC
    transport = "stdio"
    until = "2025-11-25"
    spec = {"2024-11-05": "client/roots#root-list-changes"}
    methods = ("roots/list", "notifications/roots/list_changed")

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._asked: int | None = None  # record of the latest roots/list
        self._waiting: Message | None = None  # the first notification since

    def on_request(self, message: Message, call: Call) -> Found:
        if message.sender != SERVER:
            return
        if self._waiting is not None and message.at - self._waiting.at > PATIENCE:
            yield from self._late()
        self._asked, self._waiting = message.seq, None

    def on_notification(self, message: Message, call: Call | None) -> Found:
        if message.sender == CLIENT and self._asked is not None:
            self._waiting = self._waiting or message
        yield from ()

    def on_end(self) -> Found:
        least = PATIENCE if self.session.cut else CROSSING
        if self._waiting is not None and self.session.end_at - self._waiting.at >= least:
            yield from self._late()

    def _late(self) -> Found:
        if self._waiting is not None:
            text = "the roots changed, and the server did not ask for them again"
            yield self.found(self._waiting, text, related=[self._asked])
