"""Captures, or sessions of captures, side by side: what each says, and in what they differ.

A side is any number of sessions. Counts and bytes add up over them, fixed costs are means over sessions, bytes a call
and latencies are over all tool calls. Compares what was seen: a side that never listed its tools differs in none.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import orjson
import pandas as pd

from mcpsniff.analysis.report import Data
from mcpsniff.rules.rule import SEVERITIES

from .columns import TEXT, frame
from .reading import Frames

WORDS = ("era", "revision", "transport")
PROGRAMS = ("client", "server")  # name and version
SUMS = ("messages", "client_bytes", "server_bytes", "head_bytes", "framing_bytes", "round_trips", "tool_calls")
FOUND = ("errors", "warnings", "infos")  # findings, by severity
MEANS = ("round_trips_before_first_call", "fixed_bytes", "tools_list_bytes")
QUANTILES = {"p50_ms": 0.5, "p90_ms": 0.9, "p99_ms": 0.99}
BY_METHOD = ["method", "sender"]
BY_FAULT = ["rule", "violator"]


@dataclass(frozen=True, slots=True)
class Comparison:
    """Sides and differences as plain data; lists named `sides`, `counts`, `p50_ms` have one value for each side."""

    sides: list[Data]  # name, sessions, figures
    methods: list[Data]  # method, sender, counts, p50_ms
    findings: list[Data]  # rule, violator, severity, counts
    tools: list[Data]  # of those that not all sides list alike: name, sides (whether it is listed), members that differ
    collisions: list[Data]  # tool names that several servers offer, as in the report
    break_even_calls: float | None  # of a legacy and a modern side: calls at which both have cost the same bytes


def compare(found: Frames, sides: Mapping[str, Sequence[str]]) -> Comparison:
    """Compares sides, each a name and its sessions."""
    names = list(sides)
    pairs = [(session, side) for side, sessions in sides.items() for session in sessions]
    of_side = frame({"session": TEXT, "side": TEXT}, pairs)
    kinds = (found.sessions, found.calls, found.findings, found.tools)
    sessions, calls, findings, tools = (kind.merge(of_side, on="session") for kind in kinds)
    figures = [_figures(sessions[sessions.side == side], calls[calls.side == side]) for side in names]
    return Comparison(
        sides=[{"name": side, "sessions": list(sides[side]), **own} for side, own in zip(names, figures, strict=True)],
        methods=list(_methods(calls, names)),
        findings=list(_findings(findings, names)),
        tools=list(_tools(tools, names)),
        collisions=list(found.report.tool_collisions),
        break_even_calls=_break_even(figures),
    )


def _figures(sessions: pd.DataFrame, calls: pd.DataFrame) -> dict[str, Any]:
    tool_calls = calls[(calls.method == "tools/call") & (calls.sender == "client")]
    cost = (tool_calls.request_bytes + tool_calls.answer_bytes).dropna()
    return {
        **{column: sorted(sessions[column].dropna().unique()) for column in WORDS},
        **{program: _programs(sessions, program) for program in PROGRAMS},
        **{column: _number(sessions[column].sum(min_count=1)) for column in (*SUMS, *FOUND)},
        **{column: _number(sessions[column].mean()) for column in MEANS},
        "bytes_per_call": _number(cost.mean()),
        **{name: _number(tool_calls.latency.quantile(share) * 1000) for name, share in QUANTILES.items()},
    }


def _programs(sessions: pd.DataFrame, program: str) -> list[str]:
    names = sessions[program].str.cat(sessions[f"{program}_version"], sep=" ", na_rep="").dropna()
    return sorted(names.str.strip().unique())


def _number(value: Any) -> float | None:
    """Gives a number that JSON has, at most three decimals; None where it is missing."""
    if pd.isna(value):
        return None
    return int(value) if float(value).is_integer() else round(float(value), 3)


def _methods(calls: pd.DataFrame, names: Sequence[str]) -> Iterator[Data]:
    """Gives the methods in order of their first request."""
    for (method, sender), rows in calls.groupby(BY_METHOD, sort=False):
        mine = [rows[rows.side == side] for side in names]
        yield {
            "method": method,
            "sender": sender,
            "counts": [len(of) for of in mine],
            "p50_ms": [_number(of.latency.median() * 1000) for of in mine],
        }


def _findings(findings: pd.DataFrame, names: Sequence[str]) -> Iterator[Data]:
    """Gives the faults by rule and violator, the worst first."""
    faults = []
    for (rule, violator), rows in findings.groupby(BY_FAULT, sort=False):
        severity = max(rows.severity, key=SEVERITIES.index)
        counts = [int(rows[rows.side == side]["count"].sum()) for side in names]
        faults.append({"rule": rule, "violator": violator, "severity": severity, "counts": counts})
    return iter(sorted(faults, key=lambda fault: -SEVERITIES.index(fault["severity"])))


def _tools(tools: pd.DataFrame, names: Sequence[str]) -> Iterator[Data]:
    """Gives the tools that not all of those sides list alike which list any."""
    listing = set(tools.side)
    for name, rows in tools.groupby("name", sort=True):
        last = dict(zip(rows.side, rows.definition, strict=True))
        if len(set(last.values())) > 1 or last.keys() != listing:
            there = [side in last if side in listing else None for side in names]
            yield {"name": name, "sides": there, "members": _differing([orjson.loads(text) for text in last.values()])}


def _differing(definitions: Sequence[Data]) -> list[str]:
    """Gives the members that are not the same in all definitions."""
    members = sorted({member for definition in definitions for member in definition})
    return [member for member in members if any(d.get(member) != definitions[0].get(member) for d in definitions)]


def _break_even(figures: Sequence[Data]) -> float | None:
    """Gives n where fixed + n * bytes a call is the same for a legacy and a modern side."""
    costs = {tuple(own["era"]): (own["fixed_bytes"], own["bytes_per_call"]) for own in figures}
    legacy, modern = costs.get(("legacy",)), costs.get(("modern",))
    if len(figures) != 2 or legacy is None or modern is None or None in (*legacy, *modern) or legacy[1] == modern[1]:
        return None
    calls = (legacy[0] - modern[0]) / (modern[1] - legacy[1])
    return round(calls, 2) if calls > 0 else None
