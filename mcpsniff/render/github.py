"""The findings as GitHub workflow commands: a line on stdout of a job becomes an annotation of the file it names."""

from __future__ import annotations

from mcpsniff.analysis.placed import Placed, placed
from mcpsniff.analysis.report import Report
from mcpsniff.wire.visible import visible

COMMAND = {"error": "error", "warning": "warning", "info": "notice"}
TEXT = {"%": "%25", "\r": "%0D", "\n": "%0A"}
PROPERTY = {**TEXT, ":": "%3A", ",": "%2C"}


def render(report: Report) -> bytes:
    """Gives a command for every finding; nothing where there is none."""
    return "".join(map(_command, placed(report))).encode()


def _command(one: Placed) -> str:
    finding = one.finding
    properties = {
        "title": f"{finding['rule']} ({finding['violator']})",
        "file": one.file,
        "line": finding["line"],
    }
    stated = ",".join(f"{key}={_escape(str(v), PROPERTY)}" for key, v in properties.items() if v is not None)
    text = "\n".join((finding["message"], *finding["spec"]))
    return f"::{COMMAND[finding['severity']]} {stated}::{_escape(text, TEXT)}\n"


def _escape(text: str, table: dict[str, str]) -> str:
    lines = "\n".join(visible(line) for line in text.split("\n"))
    return "".join(table.get(char, char) for char in lines)
