"""Reads captures into frames: each capture once, its rows for as long as the frames are made of them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import pandas as pd

from mcpsniff.analysis.report import Report, build
from mcpsniff.analysis.timeline import read_whole
from mcpsniff.capture.parts import Files, grouped
from mcpsniff.rules.selection import DEFAULT, Selection

from .calls import calls
from .findings import findings
from .messages import messages
from .sessions import sessions
from .tools import tools

_MADE_OF_ROWS = (messages, calls, tools)


class Frames(NamedTuple):
    """The frames of captures, and the report on the same."""

    sessions: pd.DataFrame
    messages: pd.DataFrame
    calls: pd.DataFrame
    findings: pd.DataFrame
    tools: pd.DataFrame
    report: Report


def read(*paths: str, selection: Selection = DEFAULT) -> Frames:
    """Gives the frames of captures, sessions numbered through; raises McpsniffError where a file is none."""
    return read_each((files, selection) for files in grouped(paths))


def read_each(captures: Iterable[tuple[Files, Selection]]) -> Frames:
    """Gives the frames of captures, each with the rules to judge it by."""
    results, frames, before = [], [[make(()) for make in _MADE_OF_ROWS]], 0
    for files, selection in captures:
        name, result, rows = read_whole(files, selection, before)
        results.append((name, result))
        frames.append([make([(name, rows)]) for make in _MADE_OF_ROWS])
        before += len(result.sessions)
    report = build(results)
    said, called, offered = (pd.concat(parts, ignore_index=True) for parts in zip(*frames, strict=True))
    return Frames(sessions(report), said, called, findings(report), offered, report)
