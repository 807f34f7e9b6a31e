"""`mcpsniff wrap` itself: recorder, server, three pumps, signals, and an end like the server's own.

The recorder is forked first, and its imports run in its own process while the server starts. The main thread waits
for the server's end, whatever the pumps are doing.
When the server has ended, what it wrote is passed on to the end, or to 50 ms of silence where a grandchild holds
the pipe. A client that does not read keeps wrap (as it would keep the server) until it reads, closes, or signals;
stderr that nobody reads keeps nothing. POSIX only: it needs fork and posix_spawn.
"""

import _signal  # type: ignore[import-not-found]
import _thread
import os
from _collections_abc import Callable  # what collections.abc is made of, and loaded already

from mcpsniff.relay.fork import Make, fork_recorder
from mcpsniff.relay.reports import Reports, say
from mcpsniff.wrap.feed import END, EXIT, SIGNAL, STARTED, STDERR, STDIN, STDOUT, Feed
from mcpsniff.wrap.options import Settings
from mcpsniff.wrap.pump import Pump, shut
from mcpsniff.wrap.server import PASSED_ON, Server, hold_signals, leave_like

TYPE_CHECKING = False  # typing itself would have to be imported
if TYPE_CHECKING:
    from mcpsniff.wrap.recorder import Recorder

_SILENCE = 0.05  # seconds
_PATIENCE = 1.0  # seconds that the recorder may take to finish before wrap leaves it to itself


def run(settings: Settings) -> None:
    """Runs the command between this process's client and a capture; ends this process as the server ended."""
    _occupy_standard_streams()
    mask = hold_signals()
    make = _recorder_for(settings)
    feed, reports = fork_recorder(make, Feed, verbose=settings.verbose, at_once=settings.strict)
    if settings.strict and not reports.opened():
        os._exit(2)
    try:
        server = Server(settings.command, mask)
    except OSError as error:
        code = _refuse(settings.command, error, feed)
    else:
        code = _serve(server, feed)
        feed.tell(EXIT, b"%d" % code)
    _finish(feed, reports)
    leave_like(code)


def _recorder_for(settings: Settings) -> Make:
    def make(start: int, wrap: int, report: int) -> "Recorder":
        from mcpsniff.wrap.recorder import Recorder

        return Recorder(settings, start, wrap, report)

    return make


def _occupy_standard_streams() -> None:
    """Opens what the client left closed of 0, 1 and 2, lest a pipe of ours takes the number."""
    for fd in range(3):
        try:
            os.fstat(fd)
        except OSError:
            os.open(os.devnull, os.O_RDWR)


def _refuse(command: list[str], error: OSError, feed: Feed) -> int:
    """Says and records that the command cannot be started; the exit code that a shell gives then."""
    code = 127 if isinstance(error, FileNotFoundError) else 126
    text = f"cannot start {command[0]!r}: {error.strerror}"
    say(text)
    feed.tell(EXIT, f"{code} {text}".encode("utf-8", "backslashreplace"))
    return code


def _serve(server: Server, feed: Feed) -> int:
    feed.tell(STARTED, b"%d" % server.pid)
    to_server = Pump(0, server.stdin, STDIN, feed)
    from_server = Pump(server.stdout, 1, STDOUT, feed)
    talk = Pump(server.stderr, 2, STDERR, feed)
    for pump in (to_server, from_server, talk):
        pump.start()
    signals: list[int] = []  # passed on so far
    _thread.start_new_thread(_pass_signals, (server, feed, signals))
    code = server.wait()
    _drain(from_server, lambda: not signals)
    _drain(talk, lambda: False)
    return code


def _pass_signals(server: Server, feed: Feed, signals: list[int]) -> None:
    while True:
        number = _signal.sigwait(PASSED_ON)
        feed.tell(SIGNAL, b"%d" % number)
        server.signal(number)
        signals.append(number)
        if number == _signal.SIGINT:  # some servers do not heed it while their input is open
            shut(server.stdin)


def _drain(pump: Pump, patient: Callable[[], bool]) -> None:
    """Waits for the pump's end or for silence, and while `patient` says so for a client that does not read."""
    moved = pump.moved
    while not pump.ended.acquire(timeout=_SILENCE):
        if moved == pump.moved and not (patient() if pump.holding else pump.waiting()):
            return
        moved = pump.moved


def _finish(feed: Feed, reports: Reports) -> None:
    reports.closing = True
    feed.tell(END)
    feed.close(_PATIENCE)
    reports.ended(_PATIENCE)
