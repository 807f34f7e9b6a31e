"""How much a peer adds to the round trip of a small call."""

from __future__ import annotations

import os
import time

from benchmarks.measure import Bar, Benchmark, Figure, Figures
from benchmarks.peers import ALL, C_POLL, WRAP, Bench
from benchmarks.session import Session, call

CALLS = 4000
WARM_UP = 200


def measure(bench: Bench, peer: str, scale: float) -> Figures:
    """Calls one after the other, about 150 bytes each way; microseconds."""
    with Session(bench, peer, bench.server()) as session:
        session.open()
        times = sorted(_trips(session, max(100, int(CALLS * scale)))[WARM_UP if scale == 1 else 0 :])
        session.close()
    return {"p50": times[len(times) // 2] / 1e3, "p99": times[len(times) * 99 // 100] / 1e3}


def _trips(session: Session, count: int) -> list[int]:
    """Nanoseconds of each call."""
    to_server, from_server, clock, times = session.to_server, session.from_server, time.perf_counter_ns, []
    for number in range(1, count + 1):
        message = call(number, text="the quick brown fox jumps over the lazy dog")
        began = clock()
        os.write(to_server, message)
        while not os.read(from_server, 1 << 16).endswith(b"\n"):
            pass
        times.append(clock() - began)
    return times


BENCHMARK = Benchmark(
    title="Added latency",
    about="Round trip of a call of about 150 bytes each way to a server that answers at once.",
    rows=ALL,
    figures=(Figure("p50", "µs", added=True), Figure("p99", "µs", added=True)),
    measure=measure,
    bars=(
        Bar(WRAP, "p50", times=1.2, of=C_POLL, added=True),
        Bar(WRAP, "p99", times=1.5, of=C_POLL, added=True),
    ),
    rounds=7,
    awake=True,
)
