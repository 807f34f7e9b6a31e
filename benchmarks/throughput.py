"""How many megabytes a second pass, and how many of the messages stand in the capture."""

from __future__ import annotations

import mmap
import os
import threading
import time
from itertools import repeat
from pathlib import Path

from benchmarks.measure import Bar, Benchmark, Figure, Figures
from benchmarks.peers import ALL, DIRECT, LINES, WRAP, Bench
from benchmarks.session import Session, call

SMALL, LARGE = 1000, 1_000_000  # bytes of a message
TOTAL = 200_000_000  # bytes
_NOTICE = b'{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"%s"}}\n'


def measure(bench: Bench, peer: str, scale: float) -> Figures:
    """Small and large messages from the server, and small ones both ways at once; MB/s, and the share recorded."""
    small, small_kept = _flood(bench, peer, SMALL, int(TOTAL * scale))
    large, large_kept = _flood(bench, peer, LARGE, int(TOTAL * scale))
    both, both_kept = _echo(bench, peer, int(TOTAL * scale / 2))
    kept = min(small_kept, large_kept, both_kept)
    return {"1 KB": small, "1 MB": large, "both ways": both, "recorded": 100.0 * kept}


def _flood(bench: Bench, peer: str, size: int, total: int) -> tuple[float, float]:
    count = max(1, total // size)
    with Session(bench, peer, bench.server()) as session:
        session.open()
        began = time.perf_counter()
        session.send(call(1, n=count, size=size))
        got = session.read_until(b'BENCHDONE"}]}}\n', 1 << 20)
        took = time.perf_counter() - began
        session.close()
        return got / 1e6 / took, _recorded(peer, session.capture, count)


def _echo(bench: Bench, peer: str, total: int) -> tuple[float, float]:
    """`cat` sends back what it gets, while more is on its way."""
    message = _NOTICE % (b"x" * (SMALL - len(_NOTICE) + 2))
    count = max(1, total // SMALL)
    block = message * 64
    with Session(bench, peer, ["cat"]) as session:
        session.send(message)
        session.read_until(b"\n")
        began = time.perf_counter()
        writer = threading.Thread(target=session.send_each, args=(repeat(block, count // 64 + 1),))
        writer.start()
        want, got = (count // 64 + 1) * len(block), 0
        while got < want:
            got += len(os.read(session.from_server, 1 << 20))
        took = time.perf_counter() - began
        writer.join()
        session.close()
        return 2 * got / 1e6 / took, _recorded(peer, session.capture, 2 * (got // SMALL + 1))


def _recorded(peer: str, capture: Path, count: int) -> float:
    """The share of the notifications that stands in a capture."""
    if peer == DIRECT:
        return 1.0
    found = 0
    with capture.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as text:
        at = text.find(b"notifications/message")
        while at >= 0:
            found += 1
            at = text.find(b"notifications/message", at + 1)
    return found / count


BENCHMARK = Benchmark(
    title="Throughput",
    about="200 MB in messages of 1 KB and of 1 MB from the server; 100 MB each way at once through `cat`.",
    rows=ALL,
    figures=(
        Figure("1 KB", "MB/s", digits=0),
        Figure("1 MB", "MB/s", digits=0),
        Figure("both ways", "MB/s", digits=0),
        Figure("recorded", "%"),
    ),
    measure=measure,
    bars=(
        Bar(WRAP, "1 KB", at_most=False, times=1, of=LINES),
        Bar(WRAP, "1 MB", at_most=False, times=1, of=LINES),
        Bar(WRAP, "both ways", at_most=False, times=1, of=LINES),
        Bar(WRAP, "recorded", at_most=False, plus=100),
    ),
)
