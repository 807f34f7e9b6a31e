"""The figures of a run as Markdown, and the part of README.md that they fill."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from benchmarks.measure import Benchmark

BEGIN, END = "<!-- last run -->", "<!-- end -->"


def describe(benchmark: Benchmark) -> dict[str, Any]:
    """What a table needs to know of a benchmark, as plain data."""
    figures = [
        {"name": one.name, "unit": one.unit, "added": one.added, "digits": one.digits} for one in benchmark.figures
    ]
    return {"title": benchmark.title, "about": benchmark.about, "figures": figures}


def section(name: str, result: dict[str, Any]) -> str:
    """Title, table and bars of one benchmark."""
    rounds = result["rounds"]
    head = f"## {result['title']} (`{name}`)\n\n{result['about']} Medians of {rounds} rounds.\n"
    return "\n".join([head, *_table(result), "", *_bars(result["bars"])])


def write(path: Path, figures: dict[str, Any]) -> None:
    """Puts the tables of a run into a README, between the two marks."""
    before, _, rest = path.read_text().partition(BEGIN)
    after = rest.partition(END)[2]
    about = (
        f"mcpsniff {figures['mcpsniff']}, {figures['date']}, Python {figures['python']}, {figures['system']}, "
        f"{figures['cores']} cores."
    )
    parts = [about, *(section(name, one) for name, one in figures["benchmarks"].items())]
    path.write_text(f"{before}{BEGIN}\n\n" + "\n\n".join(part.strip() for part in parts) + f"\n\n{END}{after}")


def _table(result: dict[str, Any]) -> list[str]:
    figures = result["figures"]
    lines = [
        "| | " + " | ".join(f"{one['name']}, {one['unit']}" for one in figures) + " |",
        "|---|" + "---:|" * len(figures),
    ]
    for row, medians in result["median"].items():
        cells = [_cell(one, medians, result["added"][row]) for one in figures]
        lines.append(f"| {row} | " + " | ".join(cells) + " |")
    return lines


def _cell(figure: dict[str, Any], medians: dict[str, float], added: dict[str, float]) -> str:
    name, digits = figure["name"], figure["digits"]
    if name not in medians:
        return ""
    text = f"{medians[name]:,.{digits}f}"
    if figure["added"] and any(added.values()):
        text += f" ({added[name]:+.{digits}f})"
    return text


def _bars(bars: list[dict[str, Any]]) -> list[str]:
    return [f"- {'met' if bar['met'] else '**missed**'}: {bar['bar']} ({_measured(bar)})" for bar in bars]


def _measured(bar: dict[str, Any]) -> str:
    if not bar["limit"]:
        return f"{bar['value']:.4g}"
    return f"{bar['value']:.4g} against {bar['limit']:.4g}"
