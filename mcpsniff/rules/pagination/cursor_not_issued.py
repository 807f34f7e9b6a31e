"""Cursors that nobody gave out, and what becomes of them."""

from mcpsniff.protocol.revisions import INVALID_PARAMS, LEGACY, METHOD_NOT_FOUND, MODERN_CODES
from mcpsniff.rules.echoes import CURSORS
from mcpsniff.rules.rule import CLIENT, CONTEXTUAL, ERROR, INFO, SERVER, WARNING, Call, Found, Message, Rule, quote
from mcpsniff.rules.when import has, when

from ._paged import PAGED, cursor_of, pages_known, speaks_of_cursor, unissued

OTHER_CAUSES = MODERN_CODES | {METHOD_NOT_FOUND}


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

    id = "cursor-not-issued"
    title = "Client sent a cursor the server never issued for that list"
    severity = {"2024-11-05": ERROR}
    violator = CLIENT
    spec = {"2024-11-05": "server/utilities/pagination#implementation-guidelines"}
    methods = PAGED
    echoes = CURSORS

    @when(has("cursor"))
    def on_request(self, message: Message, call: Call) -> Found:
        cursor, method = unissued(self.session, message), message.method or ""
        if cursor is None:
            return
        if not pages_known(self.session, message):
            yield self.unchecked("the page that offered the cursor may not have been recorded")
            return
        others = [name for name in PAGED if (name, cursor) in self.session.lists.cursors]
        origin = f"it was issued for {others[0]}" if others else "no page offered it"
        related = [self.session.lists.cursors[(name, cursor)] for name in others[:1]]
        text = f'cursor "{quote(cursor)}" of {method} is made up: {origin}'
        yield self.found(message, text, related=related, violator=message.sender, where="/params/cursor")


class CursorPersisted(Rule):
    """A list was asked for with a cursor that the server issued in an earlier session.

    ## Why it matters
    Cursors need not outlive their session: it is refused, or gives a page of a list that has changed since.

    ## How to fix
    Forget cursors when a session ends; begin the list anew.

    ## When it stays silent
    A cursor that the server issued in this session, too. It is told in addition to cursor-not-issued.
    """

    id = "cursor-persisted"
    title = "Client used a cursor from an earlier session"
    tier = 2
    severity = {"2024-11-05": ERROR}
    violator = CLIENT
    until = LEGACY[-1]
    spec = {"2024-11-05": "server/utilities/pagination#implementation-guidelines"}
    methods = PAGED
    echoes = CURSORS

    @when(has("cursor"))
    def on_request(self, message: Message, call: Call) -> Found:
        cursor = unissued(self.session, message)
        if cursor is None or not pages_known(self.session, message):
            return
        earlier = self.session.lists.issued_before(message.method or "", cursor)
        if earlier is not None:
            text = f'cursor "{quote(cursor)}" was issued in an earlier session, by record {earlier}'
            yield self.found(message, text, related=[earlier], where="/params/cursor")


class InvalidCursorErrorCode(Rule):
    """A cursor that the server never issued was accepted, or refused with another code than -32602.

    ## Why it matters
    The client cannot tell that it must begin the list anew.

    ## How to fix
    Answer -32602 to every cursor that is not, or no longer, valid.

    ## When it stays silent
    Errors that are about something else. In the handshake revisions a page for an unknown cursor is information: the
    server may begin from the top. tasks/list has a rule of its own.
    """

    id = "invalid-cursor-error-code"
    title = "Invalid cursor was not rejected with -32602"
    tier = 2
    severity = {"2024-11-05": WARNING}
    violator = SERVER
    confidence = CONTEXTUAL
    until = LEGACY[-1]
    spec = {"2024-11-05": "server/utilities/pagination#error-handling"}
    methods = tuple(method for method in PAGED if method != "tasks/list")
    accepted = INFO
    echoes = CURSORS

    def on_answer(self, message: Message, call: Call | None) -> Found:
        cursor = cursor_of(call.request) if call is not None else None
        if call is None or cursor is None or message.code == INVALID_PARAMS or message.code in OTHER_CAUSES:
            return
        if message.has_error and self._is_about_cursor(message, call):
            text = f'cursor "{quote(cursor)}" is refused with {message.code}, not {INVALID_PARAMS}'
            yield self.found(message, text, related=[call.seq], where="/error/code")
        elif not message.has_error and self._made_up(call):
            text = f'cursor "{quote(cursor)}", which was never issued, is accepted'
            yield self.found(message, text, related=[call.seq], fault="accepted", severity=self.accepted)

    def _made_up(self, call: Call) -> bool:
        return unissued(self.session, call.request) is not None and pages_known(self.session, call.request)

    def _is_about_cursor(self, message: Message, call: Call) -> bool:
        return self._made_up(call)


class InvalidCursorErrorCodeModern(InvalidCursorErrorCode):
    """The same, and errors that name the cursor count wherever it came from."""

    id = "invalid-cursor-error-code"
    since, until = "2026-07-28", "2026-07-28"
    severity = {"2026-07-28": WARNING}
    accepted = WARNING

    def _is_about_cursor(self, message: Message, call: Call) -> bool:
        return self._made_up(call) or speaks_of_cursor(message)
