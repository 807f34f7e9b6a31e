"""Whether a flood of calls is recorded whole, and every answer after its request."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from pathlib import Path

from benchmarks.measure import Bar, Benchmark, Figure, Figures
from benchmarks.peers import LINES, WRAP, Bench
from benchmarks.session import Session, call

CALLS = 200_000
_ID = re.compile(rb'"jsonrpc":"2.0","id":(\d+),"(method|result)"')
_GAP = re.compile(rb'"type":"gap".*?"records":(\d+)')


def measure(bench: Bench, peer: str, scale: float) -> Figures:
    """Calls are sent without waiting for their answers; what the capture lacks and what stands in it too early."""
    count = max(200, int(CALLS * scale))
    with Session(bench, peer, bench.server()) as session:
        session.open()
        writer = threading.Thread(target=session.send_each, args=(_blocks(count),))
        writer.start()
        session.read_until(b'"id":%d,"result":{"content":[{"type":"text","text":"BENCHDONE"}]}}\n' % (count + 1))
        writer.join()
        session.close()
        return _judge(session.capture, count)


def _blocks(count: int) -> Iterator[bytes]:
    for start in range(1, count + 1, 100):
        yield b"".join(call(number) for number in range(start, min(start + 100, count + 1)))
    yield call(count + 1, n=1, size=200)


def _judge(capture: Path, count: int) -> Figures:
    asked: set[int] = set()
    answered: set[int] = set()
    early = told = 0
    with capture.open("rb") as file:
        for line in file:
            if found := _ID.search(line):
                number, answer = int(found[1]), found[2] == b"result"
                early += answer and number not in asked
                (answered if answer else asked).add(number)
            elif found := _GAP.search(line):
                told += int(found[1])
    whole = set(range(1, count + 1))
    lost = len(whole - asked) + len(whole - answered)
    return {"answer first": early, "lost": lost, "lost untold": max(0, lost - told)}


BENCHMARK = Benchmark(
    title="Order and loss",
    about="200,000 calls are sent as fast as they are taken, while their answers come back.",
    rows=(LINES, WRAP),
    figures=tuple(Figure(name, "records", digits=0) for name in ("answer first", "lost", "lost untold")),
    measure=measure,
    bars=(Bar(WRAP, "answer first"), Bar(WRAP, "lost untold")),
    rounds=3,
)
