"""The first line: is something wrong, and in how much traffic."""

from __future__ import annotations

from rich.text import Text

from mcpsniff.analysis.report import Report
from mcpsniff.render.words import MARK, count

from .paint import COLOUR, QUIET, line

NOUN = {"error": "error", "warning": "warning", "info": "note"}


def verdict(report: Report) -> Text:
    """Gives the verdict over all captures."""
    summary = report.summary
    where = f" in {count(summary['sessions'], 'session')}, {count(summary['messages'], 'message')}"
    if not report.sessions:
        return line(("No MCP session here", "bold"), (f" in {count(len(report.captures), 'capture')}", QUIET))
    found = {severity: n for severity, n in summary["findings"].items() if n}
    if not report.tiers:
        return line(("Measured only, nothing judged", "bold"), (where, QUIET))
    if not found and not whole(report):
        return line(("Nothing wrong found in what could be read", "bold"), (f",{where}", QUIET))
    if not found:
        return line(("✓ Nothing wrong found", "bold green"), (where, QUIET))
    worst = next(iter(found))
    parts = [(count(n, NOUN[severity]), COLOUR[severity]) for severity, n in found.items()]
    joined = [part for one in parts for part in ((", ", QUIET), one)][1:]
    return line((f"{MARK[worst]} ", COLOUR[worst]), *joined, (where, QUIET))


def whole(report: Report) -> bool:
    """Whether every capture was read from its header to its `end` record, and nothing of it was lost."""
    return all(capture["complete"] for capture in report.captures) and not any(report.losses.values())
