"""Cursors that nobody gave out."""

from mcpsniff.protocol.message import OTHER, Kind
from mcpsniff.rules.rule import CLIENT, ERROR, Call, Found, Message, Rule, quote

from ._paged import PAGED


class CursorNotIssued(Rule):
    """A list was asked for with a cursor that no page of this list has offered.

    ## Why it matters
    Cursors are opaque: what the server did not issue is refused, or gives a page that belongs to something else.

    ## How to fix
    Send back `nextCursor` of the page before as it came, to the same method; begin a walk without a cursor.

    ## When it stays silent
    An old cursor was issued all the same, and so was "" where a page offered it. Where the capture does not hold the
    whole session, or only the head of a page, an unknown cursor proves nothing; nor does it over HTTP where no page of
    the list was seen and the session may have begun before.
    """

    title = "Client sent a cursor the server never issued for that list"
    severity = {"2024-11-05": ERROR}
    violator = CLIENT
    spec = {"2024-11-05": "server/utilities/pagination#implementation-guidelines"}
    methods = PAGED
    yields_to = ("cursor-persisted",)

    def on_request(self, message: Message, call: Call) -> Found:
        cursor = message.params.get("cursor")
        method = message.method or ""
        if not isinstance(cursor, str) or (method, cursor) in self.session.lists.cursors:
            return
        if not self._certain(message):
            yield self.unchecked("the page that offered the cursor may not have been recorded")
            return
        others = [name for name in PAGED if (name, cursor) in self.session.lists.cursors]
        origin = f"it was issued for {others[0]}" if others else "no page offered it"
        related = [self.session.lists.cursors[(name, cursor)] for name in others[:1]]
        text = f'cursor "{quote(cursor)}" of {method} is made up: {origin}'
        yield self.found(message, text, related=related, violator=message.sender, where="/params/cursor")

    def _certain(self, message: Message) -> bool:
        session = self.session
        answerer = OTHER[message.sender]
        known = session.whole and not session.lists.cursors.dropped and not session.unreadable[answerer]
        seen = message.exchange is None or session.opened or session.lists.walked(message.method or "")
        return known and seen and not session.clipped[(answerer, Kind.RESULT)]
