"""Cuts a byte stream into lines, whatever the chunks it arrives in.

Splits on LF alone: a raw CR between JSON tokens is legal and belongs to its line. Work is linear in the bytes fed.
With a limit no more than that many payload bytes of a line are held, however long the line gets.
"""

from __future__ import annotations

import sys


class Line:
    """One line of a stream."""

    __slots__ = ("eol", "payload", "size", "t", "t0")

    def __init__(self, payload: bytes, size: int, t0: float, t: float, eol: bytes = b"\n") -> None:
        self.payload = payload  # without the line end, and of a line that is too long only the first `limit` bytes
        self.eol = eol  # LF, CRLF, or nothing for a last line without one
        self.size = size  # bytes on the wire, line end included
        self.t0 = t0  # seconds, when the first byte was read
        self.t = t  # seconds, when the last byte was read

    @property
    def cut(self) -> bool:
        """Whether the payload was longer than the framer's limit."""
        return self.size > len(self.payload) + len(self.eol)


class LineFramer:
    """Turns chunks into lines; `flush` gives what is left at the end of the stream."""

    def __init__(self, limit: int | None = None) -> None:
        self._limit = sys.maxsize if limit is None else limit  # bytes of payload kept of a line; None keeps all
        self._tail: list[bytes] = []  # kept start of the unfinished line, in pieces
        self._kept = 0  # bytes of it
        self._size = 0  # bytes of the unfinished line so far, kept or not
        self._last = b""  # its last two bytes: they tell CRLF from LF in a line that is not kept whole
        self._t0 = self._t = 0.0  # seconds, when its first and its latest byte were read

    def feed(self, chunk: bytes, t: float) -> list[Line]:
        """The lines that `chunk`, read at `t` seconds, completes."""
        lines: list[Line] = []
        start = 0
        end = chunk.find(b"\n") + 1
        if end and self._size:
            self._keep(chunk[:end], t)
            lines.append(self._take())
            start, end = end, chunk.find(b"\n", end) + 1
        limit = self._limit
        while end:
            payload, eol = chunk[start : end - 1], b"\n"
            if payload.endswith(b"\r"):
                payload, eol = payload[:-1], b"\r\n"
            lines.append(Line(payload[:limit], end - start, t, t, eol))
            start, end = end, chunk.find(b"\n", end) + 1
        if start < len(chunk):
            self._keep(chunk[start:] if start else chunk, t)
        return lines

    def flush(self) -> Line | None:
        """The unfinished last line, if there is one, at the end of the stream."""
        return self._take() if self._size else None

    def _keep(self, piece: bytes, t: float) -> None:
        if not self._size:
            self._t0 = t
        self._t = t
        self._size += len(piece)
        self._last = (self._last + piece[-2:])[-2:]
        piece = piece[: self._limit - self._kept]
        if piece:
            self._tail.append(piece)
            self._kept += len(piece)

    def _take(self) -> Line:
        eol = _line_end(self._last)
        _drop(self._tail, self._kept - (self._size - len(eol)))
        line = Line(b"".join(self._tail), self._size, self._t0, self._t, eol)  # the one copy of a payload
        self._tail = []
        self._size = self._kept = 0
        self._last = b""
        return line


def _line_end(data: bytes) -> bytes:
    """The line end that `data` closes with: LF, CRLF or nothing."""
    if data.endswith(b"\r\n"):
        return b"\r\n"
    return b"\n" if data.endswith(b"\n") else b""


def _drop(pieces: list[bytes], count: int) -> None:
    """Takes `count` bytes off the end."""
    while count > 0:
        last = pieces.pop()
        if len(last) > count:
            pieces.append(last[:-count])
        count -= len(last)
