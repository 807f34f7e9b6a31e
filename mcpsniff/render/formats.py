"""The table of formats that a report is written in: names, who writes them, and the endings that stand for them."""

from __future__ import annotations

import os
from enum import StrEnum
from importlib import import_module
from typing import TYPE_CHECKING

from mcpsniff.errors import McpsniffError

if TYPE_CHECKING:
    from mcpsniff.analysis.report import Report


class Format(StrEnum):
    """One way to write a report: its name, a module of this package with `render(report) -> bytes`, file endings."""

    module: str
    endings: tuple[str, ...]

    def __new__(cls, name: str, module: str, *endings: str) -> Format:
        one = str.__new__(cls, name)
        one._value_ = name
        one.module, one.endings = module, endings
        return one

    terminal = "terminal", "plain", ".txt"
    json = "json", "json", ".json"
    jsonl = "jsonl", "jsonl", ".jsonl", ".ndjson"
    sarif = "sarif", "sarif", ".sarif", ".sarif.json"
    junit = "junit", "junit", ".xml"
    markdown = "markdown", "markdown", ".md", ".markdown"
    csv = "csv", "csv", ".csv"
    html = "html", "html", ".html", ".htm"
    github = "github", "github"


def guess(name: str | None) -> Format:
    """Gives the format that a file's name asks for by its longest known ending; that for people where it has none.

    Raises McpsniffError where the ending is not known.
    """
    endings = {ending: format_ for format_ in Format for ending in format_.endings}
    found = [ending for ending in endings if name is not None and name.lower().endswith(ending)]
    if name is not None and not found and os.path.splitext(name)[1]:
        raise McpsniffError(f"{name}: no format has that ending; say --format, or end it in {', '.join(endings)}.")
    return endings[max(found, key=len)] if found else Format.terminal


def render(report: Report, format_: Format) -> bytes:
    """Gives the report in a format."""
    written: bytes = import_module(f"{__package__}.{format_.module}").render(report)
    return written
