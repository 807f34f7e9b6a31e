"""The findings as JSON, one a line: the FINDING of docs/report.md with the file and the session it belongs to."""

from __future__ import annotations

from mcpsniff.analysis.report import Report

from .json import encode
from .rows import rows


def render(report: Report) -> bytes:
    """Gives a line for every finding; nothing where there is none."""
    return b"".join(
        encode({"capture": row.file, "session": row.session["id"], **row.finding}, indent=False) for row in rows(report)
    )
