"""Appends records to a capture file; the only place that writes the format.

A record is one `os.write`, the lines of one chunk share one, so what was recorded survives a killed process. Nothing is
ever overwritten. Once the file is open no fault of the disk raises: what could not be written is counted, uses up its
`seq` numbers, and is told of in a `gap` record as soon as writing works again. Does not redact, does not compress.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import suppress

from mcpsniff.capture.encode import base64_payload, body_payload, record_line, stdio_line
from mcpsniff.capture.paths import candidates
from mcpsniff.wire.lines import Line


class CaptureWriter:
    """One capture file, from its header to its `end` record."""

    def __init__(
        self, path: str, header: Mapping[str, object], *, snaplen: int | None = None, pid: int | None = None
    ) -> None:
        """Creates the file (mode 0600, missing folders 0700) and writes the header; raises OSError where it cannot.

        Where `path` exists, `-PID` goes before its suffix. `format`, `version` and `snaplen` are added to the header.
        """
        self._fd, self.path = _create(path, os.getpid() if pid is None else pid)
        self.snaplen = snaplen  # bytes kept of a payload; None keeps all
        self.records = 1  # written so far; the header is, or will be before anything else
        self.failed: str | None = None  # the last write error in the system's words
        self._seq = 1
        self._whole = 0  # bytes of the file up to the end of its last whole line
        self._owed = b""  # to be written before the next record: the header, or the end of a torn line
        self._lost_records = 0
        self._lost_bytes = 0  # of traffic: the records' `size`, not their length in the file
        limits = {} if snaplen is None else {"snaplen": snaplen}
        line = record_line("capture", 0, 0, {"format": "mcpsniff", "version": 1, **header, **limits})
        if self._append(line) < len(line):
            self._owed += line

    def add(self, kind: str, t: float, fields: Mapping[str, object], *, t0: float | None = None) -> int:
        """Writes one record and gives its `seq`. Values are plain data; bytes are JSON text, embedded as they are."""
        self._recover(t)
        seq = self._seq
        size = fields.get("size")
        self._write([record_line(kind, seq, t, fields, t0)], [size if isinstance(size, int) else 0])
        return seq

    def add_body(
        self,
        t: float,
        fields: Mapping[str, object],
        body: bytes,
        *,
        size: int,
        t0: float | None = None,
        cut: bool = False,
    ) -> int:
        """Writes bytes that stand where a message belongs as `message` or `text`, and gives the `seq`.

        `size` is what they took on the wire, bytes; `cut` says that `body` is only their start. A field `encoding` says
        that the body could not be decoded: it is kept as base64.
        """
        if "encoding" in fields:
            kept = body[: self.snaplen]
            short = {"truncated": True} if cut or len(kept) < len(body) else {}
            return self.add("text", t, {**fields, "size": size, **short, **base64_payload(kept)}, t0=t0)
        kind, payload = body_payload(body, cut, self.snaplen)
        return self.add(kind, t, {**fields, "size": size, **payload}, t0=t0)

    def add_lines(self, stream: str, lines: Sequence[Line]) -> None:
        """Writes the lines of one chunk in one go; `stream` is "client" or "server" (who sent them), or "stderr"."""
        if lines:
            self._recover(lines[0].t)
            seq = self._seq
            made = [stdio_line(stream, seq + i, line, self.snaplen) for i, line in enumerate(lines)]
            self._write(made, [line.size for line in lines])

    def lose(self, t: float, records: int, size: int, why: str) -> None:
        """Tells in a `gap` of traffic that never got here, `size` bytes; `seq` jumps by `records`."""
        self._recover(t)
        self._seq += records
        lost = self._lost_records
        fields = {"records": records, "bytes": size, "why": why}
        self._write([record_line("gap", self._seq, t, fields)], [size])
        if self._lost_records > lost:  # the gap itself could not be written: the next one tells of both
            self._lost_records += records

    def end(self, t: float) -> None:
        """Writes the `end` record and closes the file; what is added later is lost."""
        self._recover(t)
        self._write([record_line("end", self._seq, t, {"records": self.records + 1})], [0])
        fd, self._fd = self._fd, -1
        try:
            os.close(fd)
        except OSError as error:  # a network's disk may say so only now
            self.failed = _reason(error)

    def _write(self, lines: list[bytes], sizes: list[int]) -> None:
        self._seq += len(lines)
        written = 0
        if not (self._owed or self._lost_records):  # else a record would stand before the gap that precedes it
            data = b"".join(lines)
            kept = self._append(data)
            written = len(lines) if kept == len(data) else data.count(b"\n", 0, kept)
        self.records += written
        if written < len(lines):
            self._lost_records += len(lines) - written
            self._lost_bytes += sum(sizes[written:])

    def _recover(self, t: float) -> None:
        """Writes what is owed and the gap record, where there was a fault and writing works again."""
        if self._owed:
            owed, self._owed = self._owed, b""
            if self._append(owed) < len(owed):
                self._owed += owed
                return
        if self._lost_records:
            fields = {"records": self._lost_records, "bytes": self._lost_bytes, "why": "write-error"}
            line = record_line("gap", self._seq, t, fields)
            if self._append(line) == len(line):
                self._lost_records = self._lost_bytes = 0
                self._seq += 1
                self.records += 1

    def _append(self, data: bytes) -> int:
        """Appends whole lines, all or as many as the disk takes, and gives the bytes that stayed; a torn line goes."""
        done = 0
        try:
            done = os.write(self._fd, data)
            while done < len(data):
                done += os.write(self._fd, memoryview(data)[done:])
        except OSError as error:
            self.failed = _reason(error)
        kept = done if done == len(data) else data.rfind(b"\n", 0, done) + 1
        if kept < done and not self._truncate(self._whole + kept):
            self._owed = b"\n"  # the torn line stays and is ended, so that it spoils no other
            self._whole += done - kept
        self._whole += kept
        return kept

    def _truncate(self, size: int) -> bool:
        try:
            os.ftruncate(self._fd, size)
        except OSError:
            return False
        return True


def _reason(error: OSError) -> str:
    return error.strerror or str(error)


def _create(path: str, pid: int) -> tuple[int, str]:
    _make_private(os.path.dirname(path))
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND | getattr(os, "O_CLOEXEC", 0)
    for name in candidates(path, pid):
        try:
            return os.open(name, flags, 0o600), name
        except FileExistsError:
            continue
    raise AssertionError("candidates never end")


def _make_private(folder: str) -> None:
    """Makes the missing folders of a path with mode 0700 (os.makedirs would give it to the last one alone)."""
    if not folder or os.path.isdir(folder):
        return
    _make_private(os.path.dirname(folder))
    with suppress(FileExistsError):  # another process may be faster
        os.mkdir(folder, 0o700)
