"""Servers that end in order and say otherwise."""

from mcpsniff.protocol.message import SERVER
from mcpsniff.rules.rule import INFO, Found, Moment, Rule, quote


class NonzeroExit(Rule):
    """The server exited with a status other than 0 after an orderly end of input.

    ## Why it matters
    Supervisors and clients that look at the status report a crash.

    ## How to fix
    Take the end of stdin for what it is, the client's good-bye, and return 0.

    ## When it stays silent
    Processes that a signal ended, or that had been sent one; those that ended before the end of input have rules of
    their own.
    """

    title = "Server exits with a status other than 0"
    tier = 2
    severity = {"2024-11-05": INFO}
    violator = SERVER
    transport = "stdio"
    spec = {"2024-11-05": "basic/lifecycle#shutdown", "2026-07-28": "basic/transports/stdio#shutdown"}
    yields_to = ("server-never-spoke", "server-exited-in-session", "server-exits-on-probe")

    def on_end(self) -> Found:
        process = self.session.process
        if process is None or process.exit_seq is None or process.signal is not None or process.signals:
            return
        ended = process.eof.get("stdin")
        if process.code and ended is not None and ended[0] < process.exit_seq:
            words = f"; stderr ends with: {quote(process.last_words, 160)}" if process.last_words else ""
            text = f"after the end of input the server exited with status {process.code}{words}"
            yield self.found(Moment(process.exit_seq, process.exit_at or 0.0), text, related=[ended[0]])
