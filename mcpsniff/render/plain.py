"""The report for people, as a file."""

from __future__ import annotations

from mcpsniff.analysis.report import Report

from .terminal import text


def render(report: Report) -> bytes:
    """Gives what a terminal would show, without colours."""
    return text(report).encode()
