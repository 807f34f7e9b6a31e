"""Clients that kill the server instead of saying goodbye."""

from mcpsniff.protocol.process import Process
from mcpsniff.protocol.revisions import LEGACY
from mcpsniff.rules.rule import CLIENT, CONTEXTUAL, WARNING, Found, Moment, Rule

ENDING = ("SIGTERM", "SIGKILL")
GRACE = 1.0  # seconds between the end of input and a signal, and between two signals


class ClientKillWithoutEof(Rule):
    """The client sent SIGTERM or SIGKILL while the server's stdin was open, or gave the server no time to end.

    ## Why it matters
    The end of input is how a server learns that it is over. A server that is
    killed cannot write what it holds, nor end its children.

    ## How to fix
    Close the server's stdin and wait; after some seconds send SIGTERM, and after some more SIGKILL.

    ## When it stays silent
    For SIGINT and SIGHUP, with which a terminal ends everything, for a server that ended by itself, and where nobody
    saw the signal.
    """

    title = "Client terminated the server without closing stdin first"
    tier = 2
    severity = {"2024-11-05": WARNING}
    violator = CLIENT
    transport = "stdio"
    confidence = CONTEXTUAL
    spec = {"2024-11-05": "basic/lifecycle#stdio", "2026-07-28": "basic/transports/stdio#shutdown"}

    def on_end(self) -> Found:
        process = self.session.process
        for seq, at, name in _orders(process) if process is not None else ():
            assert process is not None
            eof = process.eof.get("stdin")
            related = [eof[0] if eof is not None else None, process.exit_seq]
            if eof is None or seq < eof[0]:
                yield self.found(Moment(seq, at), f"{name} while stdin was open", related=related)
            elif at - eof[1] < GRACE:
                text = f"{name} {at - eof[1]:.2f} s after the end of input"
                yield self.found(Moment(seq, at), text, related=related)
            elif name == "SIGKILL" and not any(at - earlier >= GRACE for _, earlier, _ in _orders(process)):
                text = "SIGKILL without a SIGTERM and some time before it"
                yield self.found(Moment(seq, at), text, related=related, only_in=LEGACY)
            else:
                continue
            return  # what follows is the same end


def _orders(process: Process) -> list[tuple[int, float, str]]:
    """Gives the signals that ask or force the running server to end."""
    last = process.exit_seq
    return [one for one in process.signals if one[2] in ENDING and (last is None or one[0] < last)]
