"""Servers that stay after their input has ended."""

from mcpsniff.rules.rule import CONTEXTUAL, INFO, SERVER, WARNING, Call, Found, Message, Moment, Rule, Session

GRACE = 5.0  # seconds


class ServerSlowExit(Rule):
    """The server was still running five seconds after the client had closed its stdin.

    ## Why it matters
    The end of input is how a client says goodbye. A server that overlooks it has to be killed, or stays behind.

    ## How to fix
    End when a read from stdin gives the end of file; look for threads, timers and children that keep the process up.

    ## When it stays silent
    While the server still answers what it was asked before, and where the client killed it sooner than that.
    """

    title = "Server did not exit promptly after its stdin was closed"
    severity = {"2024-11-05": INFO, "2026-07-28": WARNING}
    violator = SERVER
    transport = "stdio"
    confidence = CONTEXTUAL
    spec = {"2024-11-05": "basic/lifecycle#stdio", "2026-07-28": "basic/transports/stdio#shutdown"}

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._answered_at = 0.0  # seconds, the last answer: behind the end of input the server's

    def on_answer(self, message: Message, call: Call | None) -> Found:
        self._answered_at = message.at
        yield from ()

    def on_end(self) -> Found:
        process = self.session.process
        if process is None or process.stdin_open:
            return
        seq, closed_at = process.eof["stdin"]
        signals = [(at, one) for one, at, _ in process.signals if at >= closed_at]
        left_at = min([at for at, _ in signals] + [self.session.end_at if process.exit_at is None else process.exit_at])
        if left_at - max(closed_at, self._answered_at) >= GRACE:
            text = f"{left_at - closed_at:.1f} s after the end of its input the server was still running"
            text += f"; it {process.status}"
            yield self.found(Moment(seq, closed_at), text, related=[*(one for _, one in signals), process.exit_seq])
