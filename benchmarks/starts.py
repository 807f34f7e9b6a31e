"""Whether many starts in a row leave anything behind: a process, a descriptor, a temporary file."""

from __future__ import annotations

import os
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from benchmarks.measure import Bar, Benchmark, Figure, Figures
from benchmarks.peers import WRAP, Bench
from benchmarks.session import TIMEOUT, Session, call

STARTS = 10_000
AT_ONCE = 4


def measure(bench: Bench, peer: str, scale: float) -> Figures:
    """Counts what is there after the starts and was not before."""
    count = max(20, int(STARTS * scale))
    bench.program("server")
    descriptors, began = _descriptors(), time.monotonic()
    with ThreadPoolExecutor(AT_ONCE) as pool:
        ends = list(pool.map(lambda number: _start(bench, peer, number), range(1, count + 1)))
    return {
        "starts": count,
        "ms each": (time.monotonic() - began) / count * 1e3,
        "processes": _processes(str(bench.folder)),
        "descriptors": _descriptors() - descriptors,
        "files": sum(files for files, _ in ends),
        "incomplete": sum(not whole for _, whole in ends),
    }


def _start(bench: Bench, peer: str, number: int) -> tuple[int, bool]:
    """One session: the files that it leaves beside its capture, and whether that is complete."""
    with Session(bench, peer, bench.server()) as session:
        session.open()
        session.send(call(number))
        session.read_until(b"\n")
        session.close()
        deadline = time.monotonic() + TIMEOUT  # a recorder that had not begun when the session ended goes on
        while not _complete(session.capture) and time.monotonic() < deadline:
            time.sleep(0.005)
        whole, kept = _complete(session.capture), {session.capture.name, "stderr"}
        if not whole:
            print(f"{session.capture} has no end: {session.errors() or 'nothing was said'}", file=sys.stderr)
        return len(set(os.listdir(session.folder)) - kept), whole


def _complete(capture: Path) -> bool:
    return capture.exists() and b'{"type":"end"' in capture.read_bytes()


def _descriptors() -> int:
    return len(os.listdir("/proc/self/fd"))


def _processes(folder: str) -> int:
    """How many processes still have their home in the folder; one that is just ending is given time for it."""
    deadline = time.monotonic() + TIMEOUT
    while (found := sum(_lives_in(folder, pid) for pid in os.listdir("/proc"))) and time.monotonic() < deadline:
        time.sleep(0.05)
    return found


def _lives_in(folder: str, pid: str) -> bool:
    try:
        return pid.isdigit() and f"\0HOME={folder}/".encode() in Path(f"/proc/{pid}/environ").read_bytes()
    except OSError:
        return False


BENCHMARK = Benchmark(
    title="Starts in a row",
    about="10,000 short sessions, four at once; what there is after them and was not before.",
    rows=(WRAP,),
    figures=(
        Figure("starts", "all", digits=0),
        Figure("ms each", "ms"),
        Figure("processes", "more", digits=0),
        Figure("descriptors", "more", digits=0),
        Figure("files", "more", digits=0),
        Figure("incomplete", "captures", digits=0),
    ),
    measure=measure,
    bars=(Bar(WRAP, "processes"), Bar(WRAP, "descriptors"), Bar(WRAP, "files"), Bar(WRAP, "incomplete")),
    rounds=1,
)
