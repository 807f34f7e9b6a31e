"""Server processes that ended before their time."""

from mcpsniff.protocol.message import CLIENT, SERVER
from mcpsniff.protocol.process import Process
from mcpsniff.rules.rule import ERROR, WARNING, Found, Message, Moment, Rule, quote


class _Exit(Rule):
    """What the three have in common: the exit record, and what the process said last."""

    violator = SERVER
    transport = "stdio"

    def on_end(self) -> Found:
        process = self.session.process
        if process is not None and process.exit_seq is not None:
            yield from self._exited(process)

    def _exited(self, process: Process) -> Found:
        raise NotImplementedError

    def _moment(self, process: Process) -> Moment:
        assert process.exit_seq is not None
        assert process.exit_at is not None
        return Moment(process.exit_seq, process.exit_at)


class ServerNeverSpoke(_Exit):
    """The server process ended, or could not be started, before it had written one message.

    ## Why it matters
    The client reports a closed connection and nothing else; the reason stands in the exit status and on stderr.

    ## How to fix
    Run the command by hand. Status 127: not found, 126: not executable; else read the last lines of stderr.

    ## When it stays silent
    Where the client closed the server's stdin or sent it a signal and had asked nothing that is due an answer, and in
    a capture that began in mid-session or has gaps.
    """

    id = "server-never-spoke"
    title = "Server ended without a single message"
    severity = {"2024-11-05": ERROR}
    spec = {"2024-11-05": "basic/lifecycle#shutdown", "2026-07-28": "basic/transports/stdio#shutdown"}
    yields_to = ("server-exits-on-probe",)

    def _exited(self, process: Process) -> Found:
        session = self.session
        if session.messages[SERVER] or not session.whole:
            return
        asked = next((call.seq for call in session.calls.all_open(CLIENT) if _is_sound(call.request)), None)
        if asked is not None or process.died:
            text = f"the server {_told(process, process.status)}"
            yield self.found(self._moment(process), text, related=[asked], evidence=_evidence(process))


class ServerExitedInSession(_Exit):
    """The server process ended while the client still held its stdin open and had sent no signal.

    ## Why it matters
    Whatever was in flight is lost, and so is all that the process remembered. With requests open it is an error.

    ## How to fix
    Look at the exit status and the last lines of stderr: an uncaught exception, a lack of memory, a time limit.

    ## When it stays silent
    After the client's end of input or a signal, and where the process ended on a probe.
    """

    id = "server-exited-in-session"
    title = "Server process ended in mid-session"
    severity = {"2024-11-05": WARNING}
    spec = {"2024-11-05": "basic/lifecycle#shutdown", "2026-07-28": "basic/transports/stdio#shutdown"}
    yields_to = ("server-exits-on-probe",)

    def _exited(self, process: Process) -> Found:
        if not process.died or not self.session.messages[SERVER]:
            return
        waiting = [call for call in self.session.calls.all_open(CLIENT) if call.method != "subscriptions/listen"]
        last = f"; {quote(waiting[-1].method)} (record {waiting[-1].seq}) was waiting for its answer" if waiting else ""
        text = f"the server {_told(process, process.status)}{last}"
        related = [call.seq for call in reversed(waiting)]
        severity = ERROR if waiting else None
        yield self.found(self._moment(process), text, related=related, severity=severity, evidence=_evidence(process))


class ServerExitsOnProbe(_Exit):
    """The server process ended on a first server/discover without answering it.

    ## Why it matters
    A client of both eras sends server/discover first and falls back to initialize in the same process: it cannot
    connect.

    ## How to fix
    Answer a method that you do not know with -32601 and go on reading.

    ## When it stays silent
    Where the client closed stdin or sent a signal before the process ended.
    """

    id = "server-exits-on-probe"
    title = "Server exits on a server/discover probe"
    severity = {"2024-11-05": WARNING}
    spec = {
        "2024-11-05": "https://www.jsonrpc.org/specification#response_object",
        "2026-07-28": "basic/transports/stdio#backward-compatibility",
    }

    def _exited(self, process: Process) -> Found:
        first = self.session.first_request
        probed = first is not None and first.method == "server/discover" and not self.session.messages[SERVER]
        if first is not None and probed and process.died:
            text = f"after server/discover the server {_told(process, process.status)}"
            yield self.found(self._moment(process), text, related=[first.seq], evidence=_evidence(process))


def _is_sound(request: Message) -> bool:
    """Whether a server owes an answer to this request as it stands."""
    return request.id is not None and request.id.legal and not request.batch and request.is_version_2


def _told(process: Process, what: str) -> str:
    """Gives the end of a sentence: what happened, and the last line on stderr."""
    return f"{what}; stderr ends with: {quote(process.last_words, 160)}" if process.last_words else what


def _evidence(process: Process) -> dict[str, object]:
    stderr = [quote(line, 200) for line in process.stderr]
    return {"code": process.code, "signal": process.signal, "stderr": stderr}
