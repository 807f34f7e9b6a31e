"""Keeps the cores awake while round trips are measured.

A core with nothing to do falls asleep, and to wake it costs more than what is measured; a peer that keeps cores busy
would then look quicker than none. One process a core spins at SCHED_IDLE: it runs only where nothing else wants to,
as long as what is measured shares our session (between sessions Linux shares the cores out as if all were alike).
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

_TURNS = 10_000  # between two looks at whether the harness is still there


@contextmanager
def awake() -> Iterator[None]:
    """Spins on every core that this process may use; leaves no process, even where the harness is killed."""
    spinners = [subprocess.Popen([sys.executable, "-I", __file__, str(core)]) for core in os.sched_getaffinity(0)]
    try:
        yield
    finally:
        for spinner in spinners:
            spinner.kill()
            spinner.wait()


def _spin(core: int) -> None:
    parent = os.getppid()
    os.sched_setaffinity(0, {core})
    os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    while os.getppid() == parent:
        for _ in range(_TURNS):
            pass
    os._exit(0)  # at this priority, to wind the interpreter up could take long


if __name__ == "__main__":
    _spin(int(sys.argv[1]))
