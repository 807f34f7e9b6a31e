"""What relays and proxies add to HTTP: to a POST, to an event of a stream, to many clients at once; and their CPU."""

from __future__ import annotations

import subprocess
import time

from benchmarks.measure import Bar, Benchmark, Figure, Figures
from benchmarks.peers import Bench
from benchmarks.relays import ADDON, ALL, ENGINE, MITMDUMP, SLOW, SOCAT, STREAM, TAP, relaying, serving
from benchmarks.session import TIMEOUT, cpu

POSTS = 8000
EVENTS = 1000
APART = 500  # microseconds between two events
CLIENTS = 32
REST = 0.5  # seconds without work after which none is left; less may be a busy machine's doing
SLOWER = 0.1  # so much of the work for what takes milliseconds


def measure(bench: Bench, row: str, scale: float) -> Figures:
    """Microseconds, and exchanges a second of many clients."""
    count = max(20, int(POSTS * scale * (SLOWER if row in SLOW else 1)))
    with serving(bench) as upstream, relaying(bench, row, upstream) as (port, pid):
        _client(bench, port, "post", min(count, 100), 1)  # warm
        before = _settled(pid)
        p50, p99, alone = _client(bench, port, "post", count, 1)
        spent = _settled(pid) - before
        _, _, many = _client(bench, port, "post", count, CLIENTS)
        _settled(pid)
        event, _, _ = _client(bench, port, "events", max(20, int(EVENTS * scale)), APART)
    return {
        "POST": p50,
        "p99": p99,
        "event": event,
        "CPU": spent / count * 1e6,
        "1 client": alone,
        "32 clients": many,
        "scaling": many / alone,
    }


def _client(bench: Bench, port: int, what: str, count: int, last: int) -> list[float]:
    """p50, p99 and a second."""
    command = [bench.program("http_client"), str(port), what, str(count), str(last)]
    done = subprocess.run(command, check=True, capture_output=True, text=True, timeout=TIMEOUT)
    return [float(word) for word in done.stdout.split()]


def _settled(pid: int | None) -> float:
    """The CPU seconds of a relay with its recorder when they have nothing left to do."""
    if pid is None:
        return 0.0
    spent, since = cpu(pid), time.monotonic()
    while time.monotonic() - since < REST:
        time.sleep(0.1)
        if (now := cpu(pid)) > spent:
            spent, since = now, time.monotonic()
    return spent


BENCHMARK = Benchmark(
    title="HTTP",
    about="POSTs of about 250 bytes on a kept connection, events of a stream every 500 µs, and 32 connections at once; "
    "CPU time of all processes of the relay for one exchange.",
    rows=ALL,
    figures=(
        Figure("POST", "µs", added=True),
        Figure("p99", "µs"),
        Figure("event", "µs", added=True),
        Figure("CPU", "µs", digits=0),
        Figure("1 client", "/s", digits=0),
        Figure("32 clients", "/s", digits=0),
        Figure("scaling", "times", digits=2),
    ),
    measure=measure,
    bars=(
        Bar(TAP, "POST", times=1.5, of=SOCAT, added=True),
        Bar(TAP, "event", times=1.5, of=SOCAT, added=True),
        Bar(TAP, "scaling", at_most=False, times=1, of=SOCAT),
        Bar(ENGINE, "CPU", times=0.65, of=MITMDUMP),
        Bar(ENGINE, "event", times=1.5, of=STREAM, added=True),
        Bar(ADDON, "CPU", times=1.05, of=MITMDUMP),
    ),
)
