"""The beginnings of the latest records, so that a finding can show its culprit without reading the capture again."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any

from mcpsniff.capture import records as rec
from mcpsniff.wire.visible import excerpt

LENGTH = 200  # bytes shown of one record
KEPT = 10_000  # latest records
_MEMBER = b'"message":'


class Excerpts:
    """The first bytes of the latest records, by `seq`."""

    def __init__(self) -> None:
        self._kept: dict[int, bytes] = {}
        self._order: deque[int] = deque()  # the oldest key of a dict is slow to find where many were deleted

    def note(self, record: rec.Record) -> None:
        """Keeps the beginning of a record."""
        begin = _BEGIN.get(type(record))
        if begin is None:
            return
        self._kept[record.seq] = begin(record)
        self._order.append(record.seq)
        if len(self._order) > KEPT:
            self._kept.pop(self._order.popleft(), None)

    def of(self, seq: int) -> str:
        """Gives the visible beginning of a record; empty where it is too long ago."""
        return excerpt(self._kept.get(seq, b""), LENGTH)


def beginning(record: rec.Record) -> bytes:
    """Gives the first bytes of what a record holds, or what happened in words; empty for records of other types."""
    begin = _BEGIN.get(type(record))
    return b"" if begin is None else begin(record)


def _message(record: rec.Message) -> bytes:
    if record.members is None or record.cut:
        return record.data[: LENGTH + 1]
    line = record.source
    found = line.find(_MEMBER)
    start = found + len(_MEMBER)
    if found < 0 or start + LENGTH + 3 >= len(line):
        return record.data[: LENGTH + 1]
    return line[start : start + LENGTH + 1]


def _data(record: Any) -> bytes:
    data: bytes = record.data
    return data[: LENGTH + 1]


def _request(record: rec.Request) -> bytes:
    return f"{record.method} {record.url}".encode("utf-8", "surrogatepass")[: LENGTH + 1]


def _exit(record: rec.Exit) -> bytes:
    end = record.error or (f"ended by {record.signal}" if record.signal else f"exit status {record.code}")
    return end.encode("utf-8", "surrogatepass")[: LENGTH + 1]


def _close(record: rec.Close) -> bytes:
    return f"closed by {record.by} ({record.why})".encode("utf-8", "surrogatepass")[: LENGTH + 1]


def _gap(record: rec.Gap) -> bytes:
    return f"{record.records} records lost ({record.why})".encode("utf-8", "surrogatepass")[: LENGTH + 1]


def _sse(record: rec.Sse) -> bytes:
    parts = {"event": record.event, "id": record.id, "retry": record.retry, "data": record.data}
    text = " ".join(f"{name}: {value}" for name, value in parts.items() if value is not None)
    return (text or f": {record.comment}").encode("utf-8", "surrogatepass")[: LENGTH + 1]


_BEGIN: dict[type[rec.Record], Callable[[Any], bytes]] = {
    rec.Message: _message,
    rec.Text: _data,
    rec.Stderr: _data,
    rec.Eof: lambda record: f"end of {record.stream}".encode(),
    rec.Signal: lambda record: f"signal {record.signal} to the server".encode(),
    rec.Exit: _exit,
    rec.Request: _request,
    rec.Response: lambda record: f"HTTP status {record.status}".encode(),
    rec.Close: _close,
    rec.Sse: _sse,
    rec.Gap: _gap,
}
