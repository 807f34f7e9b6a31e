"""Whether a long session at a steady rate leaves memory, descriptors and latency as they were.

Two minutes at full size; `--scale 30` makes it an hour.
"""

from __future__ import annotations

import os
import time
from dataclasses import dataclass, field
from statistics import median

from benchmarks.measure import Bar, Benchmark, Figure, Figures
from benchmarks.peers import WRAP, Bench
from benchmarks.session import Memory, Session, call, descendants

SECONDS = 120.0
RATE = 200  # calls a second
LARGE_EVERY = 100  # calls: then an answer of 100 KB
LOOKS = 40  # at memory, spread over the time
MEMORY = ("Pss_Anon", "Pss_Shmem")  # without pages of files: the share of these hangs on who else runs Python


@dataclass
class Course:
    """What was seen in the course of a soak."""

    memory: list[float] = field(default_factory=list)  # MB
    descriptors: list[int] = field(default_factory=list)
    trips: list[float] = field(default_factory=list)  # microseconds


def measure(bench: Bench, peer: str, scale: float) -> Figures:
    """The first and the last quarter of the time, after a start in which buffers and modules come to be."""
    count = max(LOOKS, int(SECONDS * scale * RATE))
    (server,) = bench.server()
    with Session(bench, peer, [server]) as session:
        session.open()
        course = _course(session, count, Memory(session.process.pid, server, kinds=MEMORY))
        session.close()
        with session.capture.open("rb") as file:
            recorded = sum(b'"method":"tools/call"' in line for line in file)
    quarter = len(course.memory) // 4
    first, last = median(course.memory[1 : quarter + 1]), median(course.memory[-quarter:])
    part = len(course.trips) // 4
    return {
        "first MB": first,
        "last MB": last,
        "growth": last - first,
        "descriptors": course.descriptors[-1] - course.descriptors[quarter],
        "first p50": median(course.trips[:part]),
        "last p50": median(course.trips[-part:]),
        "calls": count,
        "lost": count - recorded,
    }


def _course(session: Session, count: int, memory: Memory) -> Course:
    course, began = Course(), time.monotonic()
    for number in range(1, count + 1):
        time.sleep(max(0.0, began + number / RATE - time.monotonic()))
        large = {"n": 1, "size": 100_000} if number % LARGE_EVERY == 0 else {}
        start = time.perf_counter()
        session.send(call(number, text="steady", **large))
        session.read_until(b"]}}\n" if large else b"}\n")
        course.trips.append((time.perf_counter() - start) * 1e6)
        if number % (count // LOOKS) == 0:
            course.memory.append(memory.now())
            course.descriptors.append(_descriptors(session.process.pid))
    return course


def _descriptors(root: int) -> int:
    """How many are open in a process and the processes that it has started."""
    return sum(len(os.listdir(f"/proc/{pid}/fd")) for pid in [root, *descendants(root)])


BENCHMARK = Benchmark(
    title="Soak",
    about="200 calls a second for two minutes, each hundredth answered with 100 KB: last quarter against first.",
    rows=(WRAP,),
    figures=(
        Figure("first MB", "MB"),
        Figure("last MB", "MB"),
        Figure("growth", "MB", digits=2),
        Figure("descriptors", "more", digits=0),
        Figure("first p50", "µs"),
        Figure("last p50", "µs"),
        Figure("calls", "all", digits=0),
        Figure("lost", "records", digits=0),
    ),
    measure=measure,
    bars=(Bar(WRAP, "growth", plus=1.0), Bar(WRAP, "descriptors"), Bar(WRAP, "lost")),
    rounds=1,
)
