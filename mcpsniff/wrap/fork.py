"""Forks the recorder off, so that it has an interpreter of its own.

The child lets go of all that is the client's before it imports anything: it must not keep a pipe of the client open,
say anything on its stderr, or die of what is sent to wrap's terminal or process group.
"""

import _thread
import os
import time

from mcpsniff.wrap.channel import Feed, open_channel
from mcpsniff.wrap.options import Settings
from mcpsniff.wrap.pump import wait
from mcpsniff.wrap.reports import Reports

TYPE_CHECKING = False  # typing itself would have to be imported
if TYPE_CHECKING:
    from mmap import mmap


def fork_recorder(settings: Settings) -> tuple[Feed, Reports]:
    """Starts the recorder: where to feed it, and where it reports. To be called before any thread is started."""
    start = time.monotonic_ns()
    wrap = os.getpid()
    source, target, memory = open_channel()
    report_source, report_target = os.pipe()
    if _fork() == 0:
        _be_recorder(source, memory, report_target, settings, start, wrap)
    os.close(source)
    os.close(report_target)
    reports = Reports(report_source, settings.verbose)
    _thread.start_new_thread(reports.run, ())
    return Feed(target, memory, start), reports


def _fork() -> int:
    try:
        return os.fork()
    except OSError:
        return -1  # nobody holds the other ends of the pipes then, and Reports says so


def _be_recorder(source: int, memory: "mmap", report: int, settings: Settings, start: int, wrap: int) -> None:
    """Records until the shim is gone, then ends this process."""
    try:
        _leave_the_client(source, report)
        if not settings.strict:  # with it the shim waits for us
            wait(source, "POLLIN")  # until the server runs: our imports would slow its start down
        from mcpsniff.wrap.intake import frames
        from mcpsniff.wrap.recorder import Recorder

        Recorder(settings, start, wrap, report).record(frames(source, memory))
    except BaseException as error:
        os.write(report, f"-the recorder failed: {error!r}\n".encode("utf-8", "backslashreplace"))
    finally:
        os._exit(0)


def _leave_the_client(*kept: int) -> None:
    os.setsid()
    nothing = os.open(os.devnull, os.O_RDWR)
    for fd in range(3):
        os.dup2(nothing, fd)
    for fd in map(int, os.listdir("/dev/fd")):
        if fd > 2 and fd not in kept:
            _close(fd)


def _close(fd: int) -> None:
    try:  # noqa: SIM105  contextlib would have to be imported
        os.close(fd)
    except OSError:
        pass  # the descriptor of the list itself
