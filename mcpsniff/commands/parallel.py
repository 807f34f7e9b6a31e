"""Several captures at once: each in a process of its own, as many at a time as there are processors.

Gives what a report takes of each, in the order of the command line. Worth it only for long input: a process takes half
a second to start.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator, Sequence

from mcpsniff.analysis.engine import analyze
from mcpsniff.analysis.report import Part, part
from mcpsniff.capture.parts import Files
from mcpsniff.errors import McpsniffError
from mcpsniff.rules.selection import Selection

WORTH_IT = 16_000_000  # bytes of all captures together


def helps(chosen: Sequence[tuple[Files, Selection]], size: int) -> bool:
    """Whether captures of `size` bytes together are read faster side by side; standard input is this process's."""
    own = any(path == "-" for files, _ in chosen for path in files)
    return len(chosen) > 1 and size >= WORTH_IT and not own and (os.cpu_count() or 1) > 1


def parts(chosen: Sequence[tuple[Files, Selection]]) -> Iterator[Part | McpsniffError]:
    """Gives the part of each capture, or why it cannot be read."""
    from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
    from multiprocessing import get_context

    workers = min(os.cpu_count() or 1, len(chosen))
    with ProcessPoolExecutor(workers, get_context("spawn"), initializer=_end_at_interrupt) as pool:
        try:
            yield from pool.map(_part, *zip(*chosen, strict=True))
        except BrokenExecutor:
            raise McpsniffError("A process that read a capture was ended from outside: read fewer at a time.") from None
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def _end_at_interrupt() -> None:
    signal.signal(signal.SIGINT, lambda *_: os._exit(130))  # the process that asked for it has the word


def _part(files: Files, selection: Selection) -> Part | McpsniffError:
    try:
        return part(*analyze(files, selection))
    except McpsniffError as error:
        return error
