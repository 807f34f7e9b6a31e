"""Several captures at once: each in a process of its own, as many at a time as there are processors.

Gives what a report takes of each, in the order of the command line. Worth it only for long input: each process loads
the rules anew. None of them outlives this one by more than the reading of its capture.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from mcpsniff.analysis.engine import analyze
from mcpsniff.analysis.report import Part, part
from mcpsniff.capture.parts import Files
from mcpsniff.errors import McpsniffError
from mcpsniff.rules.selection import Selection

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.context import ForkContext, SpawnContext

    Channel = Connection[Part | McpsniffError, Part | McpsniffError]

WORTH_IT = 16_000_000  # bytes of all captures together


def helps(chosen: Sequence[tuple[Files, Selection]], size: int) -> bool:
    """Whether captures of `size` bytes together are read faster side by side; standard input is this process's."""
    own = any(path == "-" for files, _ in chosen for path in files)
    return len(chosen) > 1 and size >= WORTH_IT and not own and (os.cpu_count() or 1) > 1


class SideBySide:
    """Begins to read when it is made; iterating gives the part of each capture, or why it cannot be read."""

    def __init__(self, chosen: Sequence[tuple[Files, Selection]]) -> None:
        self._waiting = deque(enumerate(chosen))
        self._running: dict[Channel, int] = {}  # where the part of which capture will come
        self._read: dict[int, Part | McpsniffError] = {}  # until those before have been given
        self._begin()

    def __iter__(self) -> Iterator[Part | McpsniffError]:
        from multiprocessing.connection import wait

        number = 0
        while self._running:
            ready = wait(self._running)
            for channel in [one for one in self._running if one in ready]:
                self._read[self._running.pop(channel)] = _result(channel)
            self._begin()
            while number in self._read:
                yield self._read.pop(number)
                number += 1

    def _begin(self) -> None:
        while self._waiting and len(self._running) < (os.cpu_count() or 1):
            number, capture = self._waiting.popleft()
            context = _context()
            channel, end = context.Pipe(duplex=False)
            context.Process(target=_work, args=(channel, end, *capture), daemon=True).start()
            end.close()
            self._running[channel] = number


def _context() -> ForkContext | SpawnContext:
    """How a process is started: as a copy, in no time, where that is safe; else it imports everything anew."""
    from multiprocessing import get_context

    safe = sys.platform == "linux" and threading.active_count() == 1
    return get_context("fork") if safe else get_context("spawn")


def _result(channel: Channel) -> Part | McpsniffError:
    with channel:
        try:
            return channel.recv()
        except EOFError:
            raise McpsniffError("A process that read a capture was ended from outside: read fewer at a time.") from None


def _work(channel: Channel, end: Channel, files: Files, selection: Selection) -> None:
    signal.signal(signal.SIGINT, lambda *_: os._exit(130))  # the process that asked for it has the word
    channel.close()  # or a result would wait for ever for a reader that is gone
    result = _part(files, selection)
    with suppress(BrokenPipeError):
        end.send(result)


def _part(files: Files, selection: Selection) -> Part | McpsniffError:
    try:
        return part(*analyze(files, selection))
    except McpsniffError as error:
        return error
