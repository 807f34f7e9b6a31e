"""The findings as CSV, one row each; no cell begins as a formula does, none drives a terminal."""

from __future__ import annotations

import csv
from io import StringIO
from typing import Any

from mcpsniff.analysis.report import Report
from mcpsniff.wire.visible import visible

from .rows import Row, rows

COLUMNS = ("capture", "session", "t", "seq", "rule", "severity", "violator", "message")
FORMULA = tuple("=+-@＝＋－＠")  # what spreadsheets calculate; tabs and line ends are escapes by then


def render(report: Report) -> bytes:
    """Gives the table with its head, lines ended as RFC 4180 has it."""
    out = StringIO()
    writer = csv.writer(out)
    writer.writerow(COLUMNS)
    writer.writerows(map(_cells, rows(report)))
    return out.getvalue().encode()


def _cells(row: Row) -> list[Any]:
    finding = row.finding
    first = (row.file, row.session["id"], finding["t"], finding["seq"][0])
    return [_safe(cell) for cell in (*first, *(finding[column] for column in COLUMNS[4:]))]


def _safe(cell: Any) -> Any:
    """Gives a text that a spreadsheet takes for text: with an apostrophe where it would calculate."""
    if not isinstance(cell, str):
        return cell
    text = visible(cell)
    return f"'{text}" if text.lstrip().startswith(FORMULA) else text
