"""How much memory a peer takes at its peak, all of its processes together."""

from __future__ import annotations

from benchmarks.measure import Bar, Benchmark, Figure, Figures
from benchmarks.peers import C_POLL, LINES, THREADS, WRAP, Bench
from benchmarks.session import Memory, Session, call

TOTAL = 200_000_000  # bytes
LARGE = 10_000_000  # bytes of the largest message
ALLOWED = 28.0  # MB, and three times the largest message


def measure(bench: Bench, peer: str, scale: float) -> Figures:
    """MB (PSS, sampled) in a flood of small, of large and of very large messages, and at rest."""
    total = int(TOTAL * scale)
    rest, _ = _peak(bench, peer, 1000, 1)
    return {
        "at rest": rest,
        "1 KB": _peak(bench, peer, 1000, max(1, total // 1000))[1],
        "1 MB": _peak(bench, peer, 1_000_000, max(1, total // 1_000_000))[1],
        "10 MB": _peak(bench, peer, LARGE, max(1, total // LARGE))[1],
    }


def _peak(bench: Bench, peer: str, size: int, count: int) -> tuple[float, float]:
    """Memory after the handshake, and the peak of a flood."""
    (server,) = bench.server()
    with Session(bench, peer, [server]) as session:
        session.open()
        watch = Memory(session.process.pid, server)
        rest = watch.now()
        watch.start()
        session.send(call(1, n=count, size=size))
        session.read_until(b'BENCHDONE"}]}}\n', 1 << 20)
        session.send(call(2))  # the watch sees the recorder at work on what is left
        session.read_until(b"\n")
        peak = watch.stop()
        session.close()
    return rest, max(peak, rest)


BENCHMARK = Benchmark(
    title="Memory",
    about="Proportional set size of all processes of the peer, without the server's, in floods of 200 MB.",
    rows=(C_POLL, THREADS, LINES, WRAP),
    figures=(Figure("at rest", "MB"), Figure("1 KB", "MB"), Figure("1 MB", "MB"), Figure("10 MB", "MB")),
    measure=measure,
    bars=(
        Bar(WRAP, "1 KB", plus=ALLOWED),
        Bar(WRAP, "1 MB", plus=ALLOWED + 3 * 1),
        Bar(WRAP, "10 MB", plus=ALLOWED + 3 * 10),
    ),
)
