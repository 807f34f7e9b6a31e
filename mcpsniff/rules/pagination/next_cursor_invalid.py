"""nextCursor that is no string."""

from mcpsniff.protocol.message import Kind
from mcpsniff.rules.rule import ERROR, SERVER, Call, Found, Message, Rule, quote
from mcpsniff.rules.when import has, result, when

from ._paged import PAGED


class NextCursorInvalid(Rule):
    """A page has a `nextCursor` that is no string, often null.

    ## Why it matters
    Strict clients refuse the whole page; others take null for a cursor and ask for ever.

    ## How to fix
    Leave `nextCursor` out on the last page: the end of a list is shown by its absence.

    ## When it stays silent
    The empty string is a string.
    """

    title = "nextCursor is present but not a string"
    severity = {"2024-11-05": ERROR}
    violator = SERVER
    spec = {"2024-11-05": "server/utilities/pagination#response-format"}
    methods = PAGED

    @when(result, has("nextCursor"))
    def on_answer(self, message: Message, call: Call | None) -> Found:
        if message.kind is not Kind.RESULT or "nextCursor" not in message.result:
            return
        cursor = message.result["nextCursor"]
        if not isinstance(cursor, str):
            text = f"nextCursor is {'null' if cursor is None else quote(cursor)}, not a string"
            related = [call.seq if call is not None else None]
            yield self.found(message, text, related=related, violator=message.sender, where="/result/nextCursor")
