"""Lists that were not read to their end."""

from mcpsniff.protocol.message import CLIENT
from mcpsniff.protocol.revisions import LEGACY
from mcpsniff.rules.echoes import CURSORS
from mcpsniff.rules.rule import HEURISTIC, INFO, Call, Found, Message, Rule, Session
from mcpsniff.rules.when import has, when

from ._paged import PAGED, cursor_of


class PaginationIncomplete(Rule):
    """The client never asked for the next page of a list although the last page offered one.

    ## Why it matters
    What stands on the pages behind does not exist for the client; users miss tools that the server has.

    ## How to fix
    Follow `nextCursor` until a page has none.

    ## When it stays silent
    A list that was read to its end before, one that has changed meanwhile, and a capture that was cut short. The client
    may have found what it wanted.
    """

    title = "Client stopped although a nextCursor was offered"
    tier = 3
    severity = {"2024-11-05": INFO}
    violator = CLIENT
    confidence = HEURISTIC
    until = LEGACY[-1]
    spec = {"2024-11-05": "server/utilities/pagination#implementation-guidelines"}
    methods = PAGED
    echoes = CURSORS

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._latest: dict[str, str] = {}  # list → cursor that was asked for last

    @when(has("cursor"))
    def on_request(self, message: Message, call: Call) -> Found:
        cursor = cursor_of(message)
        if cursor is not None:
            self._latest[call.method] = cursor
        yield from ()

    def on_end(self) -> Found:
        lists = self.session.lists
        for walk in lists.under_way() if not self.session.cut else ():
            asked = self._latest.get(walk.method) == walk.cursor
            if asked or walk.stale or walk.method not in PAGED or lists.last_complete(walk.method) is not None:
                continue
            *_, page = walk.pages[-1]
            text = f"{walk.method} was left after {len(walk.pages)} pages with {len(walk.items)} items"
            yield self.found(page, text, fault=walk.method, where="/result/nextCursor")
