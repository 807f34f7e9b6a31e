"""Pages that lead nowhere."""

from mcpsniff.protocol.revisions import LEGACY, LISTS
from mcpsniff.rules.rule import CONTEXTUAL, INFO, SERVER, WARNING, Call, Found, Message, Rule, quote
from mcpsniff.rules.when import has, result, when

from ._paged import PAGED, cursor_of


class CursorLoop(Rule):
    """A page offers a cursor that was used in this walk already, or repeats the page before.

    ## Why it matters
    A client that follows the cursors never comes to an end.

    ## How to fix
    Let `nextCursor` point behind the page it stands on, and leave it out on the last page.

    ## When it stays silent
    The same cursor in another walk is what stable cursors are for. A page that is asked for again after an error is no
    repetition. Where the cursor is the empty string, next-cursor-empty names the cause.
    """

    title = "Server returns the cursor it was given"
    tier = 2
    severity = {"2024-11-05": WARNING, "2026-07-28": INFO}
    violator = SERVER
    confidence = CONTEXTUAL
    spec = {"2024-11-05": "server/utilities/pagination#implementation-guidelines"}
    methods = PAGED
    yields_to = ("next-cursor-empty",)
    by_value = True

    @when(result, has("nextCursor"))
    def on_answer(self, message: Message, call: Call | None) -> Found:
        following = message.result.get("nextCursor")
        if call is None or message.has_error or not isinstance(following, str):
            return
        walk = self.session.lists.walk(call)
        pages = [page for *_, page in walk.pages] if walk is not None else []
        back = next((page for page in pages if page.result.get("nextCursor") == following), None)
        items = message.result.get(LISTS[call.method])
        if following == cursor_of(call.request) or back is not None:
            related = [call.seq, back.seq if back is not None else None]
            text = f'nextCursor "{quote(following)}" was used before in this walk of {call.method}'
            yield self.found(message, text, related=related, violator=message.sender, where="/result/nextCursor")
        elif pages and items and items == pages[-1].result.get(LISTS[call.method]):
            text = f"this page of {call.method} is the same as the one before, record {pages[-1].seq}"
            related, revisions = [call.seq, pages[-1].seq], LEGACY
            yield self.found(message, text, related=related, violator=message.sender, only_in=revisions)
