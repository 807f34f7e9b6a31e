"""Figures by method and by tool: a bounded table of rows."""

from __future__ import annotations

from typing import Any

from mcpsniff.protocol.bounded import Drops

from .histogram import Histogram

NAME = 200  # characters of a captured name that are kept


class Row:
    """What one kind of request came to; sizes in bytes."""

    __slots__ = ("bytes_request", "bytes_response", "count", "errors", "latency", "result_bytes", "tool_errors")

    def __init__(self) -> None:
        self.count = 0
        self.errors = 0
        self.tool_errors = 0
        self.bytes_request = 0
        self.bytes_response = 0
        self.result_bytes = 0
        self.latency = Histogram()

    def figures(self) -> dict[str, Any]:
        """Gives the row as data."""
        return {
            "count": self.count,
            "errors": self.errors,
            "bytes_request": self.bytes_request,
            "bytes_response": self.bytes_response,
            "latency_ms": self.latency.in_ms(),
        }


class Rows:
    """Rows by key, at most `cap`; later keys are counted as dropped."""

    def __init__(self, name: str, cap: int, drops: Drops) -> None:
        self._name, self._cap, self._drops = name, cap, drops
        self._rows: dict[tuple[str, ...], Row] = {}

    def at(self, *key: str) -> Row:
        """Gives the row of a key; one that nobody keeps where the table is full."""
        row = self._rows.get(key)
        return self._new(tuple(part[:NAME] for part in key)) if row is None else row

    def _new(self, key: tuple[str, ...]) -> Row:
        row = self._rows.get(key)
        if row is None:
            row = Row()
            if len(self._rows) < self._cap:
                self._rows[key] = row
            else:
                self._drops.forget(self._name, self._cap)
        return row

    def items(self) -> list[tuple[tuple[str, ...], Row]]:
        """Gives keys and rows in order of appearance."""
        return list(self._rows.items())
