"""Forks the recorder off, so that it has an interpreter of its own.

The child lets go of all that is the client's before it imports anything: it must not keep a pipe or socket of the
client open, say anything on its stderr, or die of what is sent to the parent's terminal or process group.
"""

import _thread
import os
import time
from _collections_abc import Callable, Iterable  # what collections.abc is made of, and loaded already

from mcpsniff.relay.channel import Channel, open_channel, widen
from mcpsniff.relay.reports import Reports

TYPE_CHECKING = False  # typing itself would have to be imported
if TYPE_CHECKING:
    from mmap import mmap
    from typing import Protocol, TypeVar

    from mcpsniff.relay.intake import Frame

    AnyChannel = TypeVar("AnyChannel", bound=Channel)

    class Recorder(Protocol):
        """What the child makes of the frames."""

        def record(self, frames: Iterable[Frame]) -> None:
            """Records all frames."""


# The C library hands memory back to the system, and takes it anew at a price, above a size that it learns from the
# largest block that was ever freed. Bytes; floods of large messages cost half then.
_KEPT = 8 << 20

# Seconds that the server has for its start, once it runs, before the recorder's imports take a core as well.
_HEAD_START = 0.005

Make = Callable[[int, int, int], "Recorder"]  # from time zero (monotonic ns), the parent's pid, the fd for reports


def fork_recorder(
    make: Make, channel: "type[AnyChannel]", *, verbose: bool, at_once: bool
) -> "tuple[AnyChannel, Reports]":
    """Starts the recorder that `make` makes in the child: where to feed it, and where it reports.

    To be called before any thread is started. Unless `at_once` the child waits for the first frame before it imports.
    """
    start = time.monotonic_ns()
    parent = os.getpid()
    source, target, memory = open_channel()
    report_source, report_target = os.pipe()
    if _fork() == 0:
        _be_recorder(source, memory, report_target, at_once, lambda: make(start, parent, report_target))
    os.close(source)
    os.close(report_target)
    reports = Reports(report_source, verbose)
    _thread.start_new_thread(reports.run, ())
    return channel(target, memory, start), reports


def _fork() -> int:
    try:
        return os.fork()
    except OSError:
        return -1  # nobody holds the other ends of the pipes then, and Reports says so


def _be_recorder(source: int, memory: "mmap", report: int, at_once: bool, make: "Callable[[], Recorder]") -> None:
    """Records until the parent is gone, then ends this process."""
    try:
        _leave_the_client(source, report)
        widen(source)
        if not at_once:
            _await(source)
            time.sleep(_HEAD_START)
        from mcpsniff.relay.intake import frames

        bytes(_KEPT)
        make().record(frames(source, memory))
    except BaseException as error:
        os.write(report, f"-the recorder failed: {error!r}\n".encode("utf-8", "backslashreplace"))
    finally:
        os._exit(0)


def _await(source: int) -> None:
    """Waits until there is something to read."""
    from select import POLLIN, poll

    first = poll()
    first.register(source, POLLIN)
    first.poll()


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
