"""How a benchmark is written down: rows, figures, bars; and how rounds become a result.

A benchmark measures one row at a time. The driver runs the rows in turn, round after round, so that each round compares
neighbours in time; what is reported are medians over the rounds, and of differences to the row `direct` their medians.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from statistics import median
from typing import Any

from benchmarks.awake import awake
from benchmarks.peers import DIRECT, Bench

Figures = dict[str, float]


@dataclass(frozen=True)
class Figure:
    """A column of the table: what is measured, in which unit; `added` shows what the row adds to `direct`, too."""

    name: str
    unit: str
    added: bool = False
    digits: int = 1


@dataclass(frozen=True)
class Bar:
    """What the `row` must reach: `at_most` or `at_least` so many times the figure of the row `of`, plus `plus`.

    Without `of` the bar is `plus` itself.
    """

    row: str
    figure: str
    at_most: bool = True
    times: float = 0.0
    of: str | None = None
    plus: float = 0.0
    added: bool = False  # compare what the rows add to `direct`


@dataclass(frozen=True)
class Benchmark:
    """A title and a sentence, the rows, and `measure`, which gives the figures of one row in one round."""

    title: str
    about: str
    rows: Sequence[str]
    figures: Sequence[Figure]
    measure: Callable[[Bench, str, float], Figures]  # the last argument scales the work: 1 is the full size
    bars: Sequence[Bar] = ()
    rounds: int = 5
    awake: bool = False  # keep the cores awake meanwhile: for times of microseconds


def run(benchmark: Benchmark, bench: Bench, scale: float, rounds: int) -> dict[str, Any]:
    """Runs the rounds; gives the medians, the samples and the verdicts of the bars as plain data."""
    samples: dict[str, list[Figures]] = {row: [] for row in benchmark.rows}
    with awake() if benchmark.awake else nullcontext():
        for _ in range(rounds):
            for row in benchmark.rows:
                samples[row].append(benchmark.measure(bench, row, scale))
    medians = {row: _medians(one) for row, one in samples.items()}
    added = {row: _medians(_differences(one, samples.get(DIRECT, []))) for row, one in samples.items()}
    bars = [_judge(bar, added if bar.added else medians) for bar in benchmark.bars]
    return {"rounds": rounds, "median": medians, "added": added, "bars": bars, "samples": samples}


def _medians(samples: list[Figures]) -> Figures:
    return {name: median(one[name] for one in samples) for name in samples[0]} if samples else {}


def _differences(samples: list[Figures], direct: list[Figures]) -> list[Figures]:
    return [{k: v - base[k] for k, v in one.items() if k in base} for one, base in zip(samples, direct, strict=False)]


def _judge(bar: Bar, medians: dict[str, Figures]) -> dict[str, Any]:
    value = medians[bar.row][bar.figure]
    limit = bar.plus + (bar.times * medians[bar.of][bar.figure] if bar.of is not None else 0.0)
    return {"bar": words(bar), "value": value, "limit": limit, "met": value <= limit if bar.at_most else value >= limit}


def words(bar: Bar) -> str:
    """The bar in words, such as "p50 added: mcpsniff wrap at most 1.2 × C poll shim"."""
    limit = f"{bar.times:g} × {bar.of}" if bar.of is not None else f"{bar.plus:g}"
    if bar.of is not None and bar.plus:
        limit += f" + {bar.plus:g}"
    added = " added" if bar.added else ""
    return f"{bar.figure}{added}: {bar.row} {'at most' if bar.at_most else 'at least'} {limit}"
