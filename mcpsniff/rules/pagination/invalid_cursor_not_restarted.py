"""Walks that go on with a cursor which the server has refused."""

from mcpsniff.protocol.message import CLIENT
from mcpsniff.protocol.revisions import INVALID_PARAMS
from mcpsniff.rules.rule import CONTEXTUAL, WARNING, Call, Found, Message, Rule, Session, quote
from mcpsniff.rules.when import error, when

from ._paged import PAGED, cursor_of, speaks_of_cursor


class InvalidCursorNotRestarted(Rule):
    """After a cursor was refused, the client asks again with it, or with another one of the same walk.

    ## Why it matters
    The list has changed: the pages no longer fit together, and the same refusal comes again.

    ## How to fix
    Drop all pages of the walk and begin the list anew, without a cursor.

    ## When it stays silent
    Errors that do not speak of the cursor and are not -32602: after a fault of the server the same page may be asked
    for again.
    """

    title = "Client kept using a cursor chain after the server rejected it"
    tier = 2
    severity = {"2026-07-28": WARNING}
    violator = CLIENT
    confidence = CONTEXTUAL
    since = "2026-07-28"
    spec = {"2026-07-28": "server/utilities/caching#interaction-with-pagination"}
    methods = PAGED

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._refused: dict[str, tuple[int, set[str]]] = {}  # list → record of the error, cursors of the walk

    def on_request(self, message: Message, call: Call) -> Found:
        cursor = cursor_of(message)
        seq, chain = self._refused.pop(call.method, (None, set[str]()))
        if message.sender == CLIENT and cursor in chain:
            text = f'{call.method} goes on with cursor "{quote(cursor)}" after record {seq} refused the walk'
            yield self.found(message, text, related=[seq], where="/params/cursor")

    @when(error)
    def on_answer(self, message: Message, call: Call | None) -> Found:
        cursor = cursor_of(call.request) if call is not None else None
        about = message.code == INVALID_PARAMS or speaks_of_cursor(message)
        if call is not None and cursor is not None and about:
            walk = self.session.lists.walk(call)
            pages = walk.pages if walk is not None else []
            chain = {cursor, *(page.result["nextCursor"] for *_, page in pages)}
            self._refused[call.method] = (message.seq, chain)
        yield from ()
