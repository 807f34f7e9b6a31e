"""The findings of a report one by one, each with its session and its capture."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from mcpsniff.analysis.report import Data, Report


class Row(NamedTuple):
    """One finding and where it belongs."""

    capture: Data
    session: Data
    finding: Data


def rows(report: Report) -> Iterator[Row]:
    """Gives every finding, by session, in the order of the report."""
    captures = {capture["id"]: capture for capture in report.captures}
    for session in report.sessions:
        for finding in session["findings"]:
            yield Row(captures[session["capture"]], session, finding)
