"""Captures or sessions side by side, for people: two with what changed, more as a table with a column for each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import fields, replace
from typing import TextIO

from rich.console import RenderableType
from rich.padding import Padding
from rich.text import Text

from mcpsniff.analysis.report import Data
from mcpsniff.frames.comparison import FOUND, PROGRAMS, WORDS, Comparison
from mcpsniff.render.words import MARK, NOTHING, amount, duration

from .paint import COLOUR, QUIET, STRONG, columns, facts, heading, indented, line
from .paper import made_visible, put

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
FEW = 3  # sides that have a column each; of more, each has a row
FIGURES = {
    "messages": "messages",
    "round_trips_before_first_call": "round trips before the first call",
    "round_trips": "round trips",
    "client_bytes": "bytes from the client",
    "server_bytes": "bytes from the server",
    "head_bytes": "bytes of HTTP heads",
    "framing_bytes": "bytes of HTTP framing",
    "tools_list_bytes": "bytes of the list of tools",
    "fixed_bytes": "fixed bytes of a session",
    "tool_calls": "tool calls",
    "bytes_per_call": "bytes a tool call",
}
LATENCIES = {"p50_ms": "latency p50", "p90_ms": "latency p90", "p99_ms": "latency p99"}  # of tool calls
Cells = Sequence[str | Text]


def render(comparison: Comparison, out: TextIO, width: int | None = None) -> None:
    """Writes the comparison; `width` is in columns, by default the terminal's."""
    shown = replace(comparison, **{f.name: made_visible(getattr(comparison, f.name)) for f in fields(comparison)})
    put(lambda columns: _parts(shown), out, width)


def _parts(comparison: Comparison) -> Iterator[RenderableType]:
    sides, titles = comparison.sides, _letters(len(comparison.sides))
    named = zip(titles, sides, strict=True)
    yield facts((title, line((side["name"], STRONG), *_programs(side))) for title, side in named)
    wide = len(sides) > FEW
    yield Padding(_table(sides, titles) if wide else _columns(sides, titles), (1, 0, 0, 0))
    if comparison.break_even_calls is not None:
        yield indented(Text(f"Both cost the same bytes after {amount(comparison.break_even_calls)} calls.", QUIET))
    if not wide:
        yield from _methods(comparison.methods, titles)
    yield from _findings(comparison.findings, titles)
    yield from _tools(comparison.tools, titles)
    yield from _collisions(comparison.collisions)


def _letters(count: int) -> list[str]:
    """Gives A, B, …, Z, AA, AB, …"""
    return [(LETTERS[n // 26 - 1] if n >= 26 else "") + LETTERS[n % 26] for n in range(count)]


def _programs(side: Data) -> Iterator[tuple[str, str]]:
    for program in PROGRAMS:
        yield f"   {program} {', '.join(side[program]) or NOTHING}", QUIET


def _columns(sides: Sequence[Data], titles: Sequence[str]) -> Padding:
    """Gives a column for each side, and how the second of two differs from the first."""
    return columns(["", *titles, *(["B to A"] if len(sides) == 2 else [])], _figures(sides), (0,))


def _figures(sides: Sequence[Data]) -> Iterator[Cells]:
    for key in WORDS:
        yield [key, *(", ".join(side[key]) or NOTHING for side in sides)]
    for table, say in ((FIGURES, amount), (LATENCIES, duration)):
        for key, title in table.items():
            values = [side[key] for side in sides]
            if any(value is not None for value in values):
                yield [title, *map(say, values), *_change(values)]


def _table(sides: Sequence[Data], titles: Sequence[str]) -> Padding:
    """Gives a row for each side."""
    head = ["", "era", "messages", "trips", "bytes", "calls", "a call", "p50", *MARK.values()]
    return columns(head, (_row(title, side) for title, side in zip(titles, sides, strict=True)), (0, 1))


def _row(title: str, side: Data) -> Cells:
    both = [side[key] for key in ("client_bytes", "server_bytes") if side[key] is not None]
    figures = (side["messages"], side["round_trips"], sum(both), side["tool_calls"], side["bytes_per_call"])
    found = (amount(side[severity]) for severity in FOUND)
    return [title, ", ".join(side["era"]) or NOTHING, *map(amount, figures), duration(side["p50_ms"]), *found]


def _change(values: Sequence[float | None]) -> list[str]:
    """Gives how much more or less the second of two is than the first."""
    if len(values) != 2:
        return []
    before, after = values
    if before is None or after is None or before == after:
        return [""]
    return [f"{after / before - 1:+.0%}" if before else f"+{amount(after)}"]


def _methods(methods: Sequence[Data], titles: Sequence[str]) -> Iterator[RenderableType]:
    yield heading("Requests")
    rows = [
        [one["method"], one["sender"], *map(amount, one["counts"]), *map(duration, one["p50_ms"])] for one in methods
    ]
    yield columns(["method", "by", *titles, *(f"{title} p50" for title in titles)], rows, (0, 1))


def _findings(findings: Sequence[Data], titles: Sequence[str]) -> Iterator[RenderableType]:
    """Gives the faults whose counts differ, and says how many do not."""
    yield heading("Findings")
    rows = [_finding(one, titles) for one in findings if len(set(one["counts"])) > 1]
    same = len(findings) - len(rows)
    if rows:
        titles = titles if len(titles) <= FEW else ["in"]
        yield columns(["rule", "by", *titles, ""], rows, (0, 1, len(titles) + 2) if len(titles) > 1 else (0, 1, 2))
        yield from [indented(Text(f"{same} more the same in all.", QUIET))] if same else []
    else:
        yield indented(Text("The same in all." if same else "None.", QUIET))


def _finding(finding: Data, titles: Sequence[str]) -> Cells:
    severity, counts = finding["severity"], finding["counts"]
    rule = Text(f"{MARK[severity]} {finding['rule']}", COLOUR[severity])
    if len(counts) > FEW:
        return [rule, finding["violator"], ", ".join(f"{t} {n}" for t, n in zip(titles, counts, strict=True) if n), ""]
    return [rule, finding["violator"], *(str(n or NOTHING) for n in counts), _turn(counts)]


def _turn(counts: Sequence[int]) -> str:
    """Gives what became of a fault, in a word."""
    if len(counts) != 2:
        return ""
    before, after = counts
    if not before or not after:
        return "gone" if before else "new"
    return "more" if after > before else "fewer"


def _tools(tools: Sequence[Data], titles: Sequence[str]) -> Iterator[RenderableType]:
    if not tools:
        return
    yield heading("Tools that differ")
    yield facts((one["name"], _difference(one, titles)) for one in tools)


def _difference(tool: Data, titles: Sequence[str]) -> Text:
    missing = [title for title, there in zip(titles, tool["sides"], strict=True) if there is False]
    only = f"not in {', '.join(missing)}" if missing else ""
    members = f"another {', '.join(tool['members'])}" if tool["members"] else ""
    return line("; ".join(filter(None, (only, members))))


def _collisions(collisions: Sequence[Data]) -> Iterator[RenderableType]:
    if collisions:
        yield heading("Tools of one name on several servers")
        yield indented(Text(", ".join(one["name"] for one in collisions)))
