"""The frame of sessions: one row each, with the figures of the report that are single values."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pandas as pd

from mcpsniff.analysis.report import Data, Report
from mcpsniff.rules.rule import SEVERITIES

from .columns import COUNT, FLAG, NUMBER, TEXT, frame

FIGURES = {  # column → type, and where docs/report.md has it
    "session": (TEXT, "id"),
    "transport": (TEXT, "transport"),
    "era": (TEXT, "era"),
    "revision": (TEXT, "revision"),
    "client": (TEXT, "client name"),
    "client_version": (TEXT, "client version"),
    "server": (TEXT, "server name"),
    "server_version": (TEXT, "server version"),
    "complete": (FLAG, "complete"),
    "messages": (COUNT, "messages total"),
    "client_bytes": (COUNT, "messages client bytes"),
    "server_bytes": (COUNT, "messages server bytes"),
    "round_trips_before_first_call": (COUNT, "round_trips before_first_call"),
    "round_trips": (COUNT, "round_trips total"),
    "tool_calls": (COUNT, "calls count"),
    "fixed_bytes": (COUNT, "calls bytes_per_call fixed"),
    "bytes_per_call": (NUMBER, "calls bytes_per_call marginal"),
    "tools_list_bytes": (COUNT, "tools_list_bytes"),
    "head_bytes": (COUNT, "http head_bytes"),
    "framing_bytes": (COUNT, "http framing_bytes"),
}
COUNTS = {f"{severity}s": severity for severity in SEVERITIES}  # errors, warnings, infos
COLUMNS = {"file": TEXT, **{name: dtype for name, (dtype, _) in FIGURES.items()}, **dict.fromkeys(COUNTS, COUNT)}


def sessions(report: Report) -> pd.DataFrame:
    """Gives the sessions of a report in its order, each with the name of its capture."""
    return frame(COLUMNS, _cells(report))


def _cells(report: Report) -> Iterator[tuple[Any, ...]]:
    files = {capture["id"]: capture["file"] for capture in report.captures}
    for session in report.sessions:
        found = [finding["severity"] for finding in session["findings"]]
        figures = (_value(session, place) for _, place in FIGURES.values())
        yield (files[session["capture"]], *figures, *map(found.count, COUNTS.values()))


def _value(session: Data, place: str) -> Any:
    value: Any = session
    for key in place.split():
        value = None if value is None else value[key]
    return value
