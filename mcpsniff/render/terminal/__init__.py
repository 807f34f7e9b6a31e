"""The report for people, as a terminal shows it: verdict first, then sessions, costs, tools, and what is not known.

Everything captured is hostile text: all strings of the report are made visible before anything is laid out, and rich's
markup is never used. Without a terminal there is no colour.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, replace
from io import StringIO
from typing import TextIO

from rich.console import RenderableType
from rich.padding import Padding
from rich.text import Text

from mcpsniff.analysis.report import Report
from mcpsniff.render.shaping import shaped_by
from mcpsniff.rules.rule import SEVERITIES

from .compare import collisions, side_by_side
from .cost import costs
from .paint import QUIET
from .paper import made_visible, put
from .session import overview, session_block
from .tools import tools
from .unknown import unknown
from .verdict import verdict

FEW = 4  # sessions that are all shown in full; of more, only those with findings
FILE_WIDTH = 100  # columns of a report that is written to a file


def render(report: Report, out: TextIO, width: int | None = None) -> None:
    """Writes the report; `width` is in columns, by default the terminal's."""
    shown = replace(report, **{f.name: made_visible(getattr(report, f.name)) for f in fields(report)})
    put(lambda columns: _parts(shown, columns), out, width)


def conclude(report: Report, out: TextIO) -> None:
    """Writes the verdict alone."""
    put(lambda columns: [verdict(report)], out)


def text(report: Report, width: int = FILE_WIDTH) -> str:
    """Gives the report as plain text."""
    out = StringIO()
    render(report, out, width)
    return out.getvalue()


def _parts(report: Report, width: int) -> Iterator[RenderableType]:
    yield verdict(report)
    yield from (Text(said, QUIET) for said in shaped_by(report))
    files = {capture["id"]: capture for capture in report.captures}
    many = len(report.sessions) > FEW
    if many:
        yield overview(report.sessions, files, width)
    for session in report.sessions:
        if session["findings"] or not many:
            yield from session_block(session, files[session["capture"]])
    yield from costs(report.sessions, width)
    yield from side_by_side(report)
    yield from tools(report.sessions, width)
    yield from collisions(report)
    yield from unknown(report)
    yield from _hint(report)


def _hint(report: Report) -> Iterator[RenderableType]:
    """Gives the way to more about the first of the worst findings."""
    found = [f for session in report.sessions for f in session["findings"]]
    if found:
        worst = max(found, key=lambda finding: SEVERITIES.index(finding["severity"]))["rule"]
        said = f"mcpsniff explain {worst} says more about that rule, and so for the others."
        yield Padding(Text(said, QUIET), (1, 0, 0, 0))
