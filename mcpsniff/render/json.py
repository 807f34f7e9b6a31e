"""The report as JSON (REPORT.md, version 1)."""

from __future__ import annotations

import orjson

from mcpsniff.analysis.report import Report


def render(report: Report) -> bytes:
    """Gives the report's JSON text, with a line end."""
    document = {
        "format": "mcpsniff-report",
        "version": 1,
        "tool": report.tool,
        "captures": report.captures,
        "sessions": report.sessions,
    }
    return orjson.dumps(document, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)
