"""Servers that close stdout and stay."""

from mcpsniff.protocol.message import CLIENT, SERVER
from mcpsniff.protocol.process import Process
from mcpsniff.rules.rule import CONTEXTUAL, ERROR, WARNING, Found, Moment, Rule

DYING = 1.0  # seconds in which a process that ends has closed its streams and is gone


class ServerClosedStdout(Rule):
    """The server closed its stdout and went on running, while the client still held its stdin open.

    ## Why it matters
    No answer can come any more. A client that only watches the process waits for ever. With requests open it is an
    error.

    ## How to fix
    Look for code that closes or replaces stdout (a redirection of prints, a detached child), or end the process, too.

    ## When it stays silent
    A process that ends closes its stdout as well: nothing is said where it ended by itself within a second, or after
    the client's end of input or a signal.
    """

    title = "Server closed stdout and went on running"
    tier = 2
    severity = {"2024-11-05": WARNING}
    violator = SERVER
    transport = "stdio"
    confidence = CONTEXTUAL
    spec = {"2024-11-05": "basic/lifecycle#stdio", "2026-07-28": "basic/transports/stdio#shutdown"}

    def on_end(self) -> Found:
        process = self.session.process
        if process is None or "stdout" not in process.eof or not self.session.messages[SERVER]:
            return
        seq, at = process.eof["stdout"]
        if self._ordered(process, before=seq) or not self._stayed(process, seq, at):
            return
        waiting = [call for call in self.session.calls.all_open(CLIENT) if call.method != "subscriptions/listen"]
        lost = f"; {len(waiting)} waiting for an answer that cannot come" if waiting else ""
        text = f"stdout was closed, and the process {process.status}{lost}"
        related = [*(call.seq for call in waiting), process.exit_seq]
        yield self.found(Moment(seq, at), text, related=related, severity=ERROR if waiting else None)

    @staticmethod
    def _ordered(process: Process, before: int) -> bool:
        """Whether the client had told the server to end before this record, or may have."""
        orders = [seq for seq, *_ in process.signals]
        orders += [process.eof["stdin"][0]] if "stdin" in process.eof else []
        return process.unsure or any(seq < before for seq in orders)

    def _stayed(self, process: Process, seq: int, at: float) -> bool:
        """Whether the process outlived its stdout, or was still there when the client told it to end."""
        end = self.session.end_at if process.exit_at is None else process.exit_at
        return end - at > DYING or (process.told_to_end and process.code == 0)
