"""nextCursor that is the empty string."""

from mcpsniff.protocol.message import Kind
from mcpsniff.protocol.revisions import LISTS
from mcpsniff.rules.echoes import CURSORS
from mcpsniff.rules.rule import INFO, SERVER, WARNING, Call, Found, Message, Rule, Session
from mcpsniff.rules.when import result, when

KEPT = 1_000  # pages


class NextCursorEmpty(Rule):
    """A page's `nextCursor` is the empty string.

    ## Why it matters
    It is a cursor by its type: some clients ask on with it and go round for ever, others take it for the end.

    ## How to fix
    Leave `nextCursor` out on the last page; never issue an empty cursor.

    ## When it stays silent
    In 2026-07-28 the empty string is a cursor like any other. Where the client asked on with it and the server served
    another page, both understood it: that is reported as information.
    """

    title = "nextCursor is the empty string"
    tier = 2
    severity = {"2024-11-05": WARNING}
    until = "2025-11-25"
    violator = SERVER
    spec = {"2024-11-05": "server/utilities/pagination#response-format"}
    methods = tuple(LISTS)
    echoes = CURSORS

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._pages: list[tuple[Message, Call]] = []
        self._understood: set[str] = set()  # methods

    @when(result)
    def on_answer(self, message: Message, call: Call | None) -> Found:
        if message.kind is Kind.RESULT and call is not None:
            if message.result.get("nextCursor") == "":
                self._pages = [*self._pages[: KEPT - 1], (message, call)]
            elif call.request.params.get("cursor") == "":
                self._understood.add(call.method)
        yield from ()

    def on_end(self) -> Found:
        for message, call in self._pages:
            severity = INFO if call.method in self._understood else None
            text = f"nextCursor of {call.method} is the empty string"
            yield self.found(
                message,
                text,
                related=[call.seq],
                violator=message.sender,
                severity=severity,
                where="/result/nextCursor",
                fault=call.method,
            )
