"""Servers whose answers wait in a buffer until the end."""

from mcpsniff.protocol.message import CLIENT, SERVER
from mcpsniff.protocol.revisions import NOT_WORK
from mcpsniff.rules.rule import CONTEXTUAL, WARNING, Call, Found, Message, Rule, Session
from mcpsniff.rules.when import odd, when

OLD_ENOUGH = 1.0  # seconds from a request to the end of input
AT_ONCE = 1.0  # seconds in which all the answers come


class AnswerAfterEof(Rule):
    """The server's answers came only when the client had closed its stdin, all at once.

    ## Why it matters
    The client waits for an answer that sits in the server's output buffer; by hand, with `echo … | server`, all seems
    well.

    ## How to fix
    Flush stdout after each message, or make it line-buffered (`python -u`, `setvbuf`, `flush=True`).

    ## When it stays silent
    Requests of the last second before the end of input do not count, and a server that answered one request in time
    has no such buffer. A single slow request proves nothing.
    """

    title = "Answers come only after the end of input"
    tier = 2
    severity = {"2024-11-05": WARNING}
    violator = SERVER
    transport = "stdio"
    confidence = CONTEXTUAL
    spec = {"2024-11-05": "basic/transports#stdio", "2026-07-28": "basic/transports/stdio"}
    awake = True

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._late: list[tuple[Message, Call]] = []  # the first and the last
        self._count = 0
        self._in_time = False

    @when(odd, awake=True)
    def on_answer(self, message: Message, call: Call | None) -> Found:
        process = self.session.process
        if process is None or call is None or call.requester != CLIENT:
            return
        if "stdin" not in process.eof:
            self._in_time = True
            self.stir(awake=False)
        elif process.eof["stdin"][1] - call.started > OLD_ENOUGH:
            self._late = [*self._late[:1], (message, call)]
            self._count += 1
        yield from ()

    def on_end(self) -> Found:
        process = self.session.process
        if process is None or self._in_time or not self._late:
            return
        (first, call), (last, _) = self._late[0], self._late[-1]
        sure = self._count > 1 or call.method in NOT_WORK
        if sure and last.at - first.at <= AT_ONCE:
            seq, at = process.eof["stdin"]
            waited = (
                f"after the end of input; the request of record {call.seq} was {at - call.started:.1f} s old by then"
            )
            text = (
                f"{self._count} answers came together {waited}" if self._count > 1 else f"the only answer came {waited}"
            )
            yield self.found(first, text, related=[call.seq, seq])
