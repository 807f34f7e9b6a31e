"""Captured text made safe to show: whatever could drive a terminal or reorder a line is written as an escape."""

from __future__ import annotations

from codecs import getincrementaldecoder

_decoder = getincrementaldecoder("utf-8")


def visible(text: str) -> str:
    """The text with control, format and surrogate characters as escapes; all else as it is."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)


def excerpt(data: bytes, limit: int) -> str:
    """The first `limit` bytes as visible text, bytes that are not UTF-8 as escapes, with "…" where something is cut."""
    if len(data) <= limit:
        return visible(data.decode("utf-8", "backslashreplace"))
    return visible(_decoder("backslashreplace").decode(data[:limit])) + "…"
