"""The report as JSON (docs/report.md, version 1): equal values, safe to look at in a terminal."""

from __future__ import annotations

import re
from dataclasses import fields
from typing import Any

import orjson

from mcpsniff.analysis.report import Report

_OPTIONS = orjson.OPT_APPEND_NEWLINE | orjson.OPT_NON_STR_KEYS
_UNSAFE = re.compile(r"[\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")  # C1 controls, marks of direction


def render(report: Report) -> bytes:
    """Gives the report's JSON text, with a line end."""
    return encode(
        {"format": "mcpsniff-report", "version": 1, **{f.name: getattr(report, f.name) for f in fields(report)}}
    )


def encode(value: Any, *, indent: bool = True) -> bytes:
    """Gives the JSON text of plain data that may hold anything captured, with a line end."""
    option = _OPTIONS | (orjson.OPT_INDENT_2 if indent else 0)
    try:
        text = orjson.dumps(value, default=str, option=option)
    except TypeError:  # an unpaired surrogate, or an integer beyond 64 bits, that was captured
        text = orjson.dumps(_encodable(value), default=str, option=option)
    return _escaped(text)


def _encodable(value: Any) -> Any:
    """Gives the value with unpaired surrogates as replacement characters and huge integers as text."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode("utf-8")
    if isinstance(value, dict):
        return {_encodable(key): _encodable(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_encodable(item) for item in value]
    return str(value) if isinstance(value, int) and abs(value) >= 1 << 63 else value


def _escaped(text: bytes) -> bytes:
    """Writes the characters that drive or reorder a terminal as JSON escapes."""
    return _UNSAFE.sub(lambda found: f"\\u{ord(found[0]):04x}", text.decode()).encode()
