"""Cuts a byte stream into lines, whatever the chunks it arrives in.

Splits on LF alone: a raw CR between JSON tokens is legal and belongs to its line. Work is linear in the bytes fed.
With a limit no more than that many payload bytes of a line are held, however long the line gets.
"""

from __future__ import annotations


class Line:
    """One line of a stream, with its line end."""

    __slots__ = ("data", "eol", "size", "t", "t0")

    def __init__(self, data: bytes, size: int, t0: float, t: float, eol: bytes | None = None) -> None:
        self.data = data  # payload (its first `limit` bytes) and line end
        self.eol = line_end(data) if eol is None else eol  # LF, CRLF, or nothing for a last line without one
        self.size = size  # bytes on the wire, line end included; more than len(data) where the payload was cut
        self.t0 = t0  # seconds, when the first byte was read
        self.t = t  # seconds, when the last byte was read

    @property
    def payload(self) -> bytes:
        """The kept bytes without the line end."""
        return self.data[: len(self.data) - len(self.eol)]

    @property
    def cut(self) -> bool:
        """Whether the payload was longer than the framer's limit."""
        return self.size > len(self.data)


class LineFramer:
    """Turns chunks into lines; `flush` gives what is left at the end of the stream."""

    def __init__(self, limit: int | None = None) -> None:
        self._limit = limit  # bytes of payload kept of a line; None keeps all
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
        longest = len(chunk) if self._limit is None else self._limit
        while end:
            data = chunk[start:end]
            if end - start <= longest:
                lines.append(Line(data, end - start, t, t, b"\r\n" if data.endswith(b"\r\n") else b"\n"))
            else:
                lines.append(self._line(data, end - start, t, t, data))
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
        if self._limit is not None:  # two bytes more than the limit: a payload of that length may be followed by CRLF
            piece = piece[: max(0, self._limit + 2 - self._kept)]
        if piece:
            self._tail.append(piece)
            self._kept += len(piece)

    def _take(self) -> Line:
        data, self._tail = b"".join(self._tail), []
        line = self._line(data, self._size, self._t0, self._t, self._last)
        self._size = self._kept = 0
        self._last = b""
        return line

    def _line(self, data: bytes, size: int, t0: float, t: float, last: bytes) -> Line:
        eol = line_end(last)
        if self._limit is not None and size - len(eol) > self._limit:
            data = data[: self._limit] + eol
        return Line(data, size, t0, t, eol)


def line_end(data: bytes) -> bytes:
    """The line end that `data` closes with: LF, CRLF or nothing."""
    if data.endswith(b"\r\n"):
        return b"\r\n"
    return b"\n" if data.endswith(b"\n") else b""
