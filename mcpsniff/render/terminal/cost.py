"""What the sessions cost, one line each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from rich.console import RenderableType

from mcpsniff.analysis.report import Data
from mcpsniff.render.words import amount, duration

from .paint import columns, heading

Cell = Callable[[Data], str]

# title, value, width from which the column is shown
COLUMNS: tuple[tuple[str, Cell, int], ...] = (
    ("", lambda s: str(s["id"]), 0),
    ("era", lambda s: str(s["era"]), 0),
    ("trips before\nthe first call", lambda s: amount(s["round_trips"]["before_first_call"]), 0),
    ("tool\ncalls", lambda s: amount(s["calls"]["count"]), 0),
    ("bytes\na call", lambda s: amount(s["calls"]["bytes_per_call"]["marginal"]), 0),
    ("fixed\nbytes", lambda s: amount(s["calls"]["bytes_per_call"]["fixed"]), 0),
    ("amortised\na call", lambda s: amount(s["calls"]["bytes_per_call"]["amortised"]), 70),
    ("envelope:\nrequest", lambda s: amount(s["envelope"]["request_bytes"]), 90),
    ("\nresult", lambda s: amount(s["envelope"]["result_bytes"]), 90),
    ("latency\np50", lambda s: duration(s["calls"]["latency_ms"]["p50"]), 70),
    ("\np99", lambda s: duration(s["calls"]["latency_ms"]["p99"]), 100),
)


def costs(sessions: Sequence[Data], width: int) -> Iterator[RenderableType]:
    """Gives the cost table: of the sessions that called tools, or of all where none did."""
    paid = [s for s in sessions if s["calls"]["count"]] or [s for s in sessions if s["messages"]["total"]]
    if not paid:
        return
    yield heading("What it costs")
    shown = [(title, cell) for title, cell, least in COLUMNS if width >= least]
    yield columns([title for title, _ in shown], [[cell(s) for _, cell in shown] for s in paid], (0, 1))
