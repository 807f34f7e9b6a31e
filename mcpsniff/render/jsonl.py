"""The findings as JSON, one a line: the FINDING of docs/report.md with the file and the session it belongs to."""

from __future__ import annotations

from mcpsniff.analysis.placed import placed
from mcpsniff.analysis.report import Report

from .json import encode


def render(report: Report) -> bytes:
    """Gives a line for every finding; nothing where there is none."""
    return b"".join(
        encode({"capture": one.file, "session": one.session["id"], **one.finding}, indent=False)
        for one in placed(report)
    )
