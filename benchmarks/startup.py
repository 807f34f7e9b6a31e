"""How long it takes until the first byte has passed, and what CPU time a start costs before the server's own."""

from __future__ import annotations

import compileall
import os
import sys
import time
from functools import cache
from importlib.util import find_spec

from benchmarks.measure import Bar, Benchmark, Figure, Figures
from benchmarks.peers import ALL, WRAP, Bench
from benchmarks.session import Session

BARE = "bare Python"
STARTS = 9


def measure(bench: Bench, peer: str, scale: float) -> Figures:
    """The best of some starts, since a start has a floor and whatever disturbs it adds; milliseconds."""
    _compile()
    starts = [_start(bench, peer) for _ in range(max(1, int(STARTS * scale)))]
    return {name: min(one[name] for one in starts) for name in starts[0]}


@cache
def _compile() -> None:
    """Leaves byte code on the disk, as installers do; where the environment forbids that, each start would compile."""
    package = find_spec("mcpsniff")
    for folder in (package.submodule_search_locations or []) if package is not None else []:
        compileall.compile_dir(folder, quiet=1)


def _start(bench: Bench, peer: str) -> Figures:
    echo = ["cat"]
    if peer == BARE:
        echo = [sys.executable, "-c", "import os; os.write(1, os.read(0, 9)); os.read(0, 9)"]
    with Session(bench, peer, echo) as session:
        session.send(b"first\n")
        session.read_until(b"\n")
        first = time.perf_counter() - session.began
        assert session.process.stdin is not None
        session.process.stdin.close()
        while os.read(session.from_server, 99):
            pass
        _, status, usage = os.wait4(session.process.pid, 0)
        session.process.returncode = os.waitstatus_to_exitcode(status)
    return {"first byte": first * 1e3, "CPU": (usage.ru_utime + usage.ru_stime) * 1e3}


BENCHMARK = Benchmark(
    title="Start-up",
    about="From the start of the peer before `cat` to the first byte back; CPU time up to the end, without the "
    "recorder's process, which works beside the server.",
    rows=(BARE, *ALL),
    figures=(Figure("first byte", "ms"), Figure("CPU", "ms")),
    measure=measure,
    bars=(
        Bar(WRAP, "first byte", times=1, of=BARE, plus=5),
        Bar(WRAP, "CPU", times=1, of=BARE, plus=2),
    ),
)
