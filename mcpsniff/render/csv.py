"""The findings as CSV, one row each; no cell begins as a formula does, none drives a terminal."""

from __future__ import annotations

from typing import Any

from mcpsniff.analysis.report import Report
from mcpsniff.frames.findings import findings
from mcpsniff.wire.visible import visible

COLUMNS = ["capture", "session", "t", "seq", "rule", "severity", "violator", "message"]
FORMULA = tuple("=+-@＝＋－＠")  # what spreadsheets calculate; tabs and line ends are escapes by then


def render(report: Report) -> bytes:
    """Gives the table with its head, lines ended as RFC 4180 has it."""
    text: str = findings(report)[COLUMNS].map(_safe).to_csv(index=False, lineterminator="\r\n")
    return text.encode()


def _safe(cell: Any) -> Any:
    """Gives a text that a spreadsheet takes for text: with an apostrophe where it would calculate."""
    if not isinstance(cell, str):
        return cell
    text = visible(cell)
    return f"'{text}" if text.lstrip().startswith(FORMULA) else text
