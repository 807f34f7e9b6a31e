"""How soon the server's exit code is passed on, and whether the capture is complete then."""

from __future__ import annotations

import sys
import time

from benchmarks.measure import Bar, Benchmark, Figure, Figures
from benchmarks.peers import ALL, WRAP, Bench
from benchmarks.session import TIMEOUT, Session, call

CODE = 7
REPEATS = 5
LIFE = 0.4  # seconds, that a session lasts at least
SERVER = f"""
import os, sys, time
while os.read(0, 65536):
    os.write(1, b'{{"jsonrpc":"2.0","id":1,"result":{{}}}}\\n')
open(sys.argv[1], "w").write(str(time.perf_counter_ns()))
os._exit({CODE})
"""


def measure(bench: Bench, peer: str, scale: float) -> Figures:
    """The server's last moment is its own word; the clock is one for all processes. The worst of some ends; ms."""
    ends = [_end(bench, peer) for _ in range(max(1, int(REPEATS * scale)))]
    return {"exit code after": max(after for after, _ in ends), "complete": 100.0 * min(whole for _, whole in ends)}


def _end(bench: Bench, peer: str) -> tuple[float, bool]:
    last = bench.folder / "last-moment"
    with Session(bench, peer, [sys.executable, "-c", SERVER, str(last)]) as session:
        session.send(call(1))
        session.read_until(b"\n")
        time.sleep(LIFE)
        assert session.process.stdin is not None
        session.process.stdin.close()
        code = session.process.wait(TIMEOUT)
        after = (time.perf_counter_ns() - int(last.read_text())) / 1e6
        if code != CODE:
            raise SystemExit(f"{peer} ended with {code}: {session.errors()}")
        whole = peer != WRAP or b'{"type":"end"' in session.capture.read_bytes().splitlines()[-1]
    return after, whole


BENCHMARK = Benchmark(
    title="End",
    about="From the server's last moment to the end of the peer, the worst of 5 ends; whether the capture has its "
    "`end` record by then.",
    rows=ALL,
    figures=(Figure("exit code after", "ms"), Figure("complete", "%", digits=0)),
    measure=measure,
    bars=(Bar(WRAP, "exit code after", plus=50), Bar(WRAP, "complete", at_most=False, plus=100)),
)
