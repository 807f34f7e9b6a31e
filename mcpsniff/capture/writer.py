"""Appends records to a capture; the only place that writes the format.

A record is one `os.write`, the lines of one chunk share one (a record beyond LONG takes several), so what was recorded
survives a killed process. Once the capture is open no fault of the disk raises, not even the loss of the file: what
could not be written or is gone is counted, uses up its `seq` numbers, and is told of in a `gap` record as soon as
writing works again. Does not redact.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from mcpsniff.capture.encode import base64_payload, body_payload, record, record_line, stdio_lines
from mcpsniff.capture.files import Files
from mcpsniff.capture.long import Record
from mcpsniff.capture.rotation import Parts, Storage
from mcpsniff.wire.lines import Line

if TYPE_CHECKING:
    from mcpsniff.capture.body import Entry


class CaptureWriter:
    """One capture, from its header to its `end` record, in one file or in the parts of a rotation."""

    def __init__(
        self,
        path: str | Callable[[float], str],
        header: Mapping[str, object],
        *,
        snaplen: int | None = None,
        storage: Storage | None = None,
        pid: int | None = None,
        patient: bool = False,
    ) -> None:
        """Creates the file (mode 0600, missing folders 0700) and writes the header.

        `path` may be a function: the path of a part that begins at `t`. Where it exists, `-PID` goes before its suffix.
        Raises OSError where there can be no file; if `patient` it is tried again as long as there are records.
        """
        limits = {} if snaplen is None else {"snaplen": snaplen}
        self.snaplen = snaplen  # bytes kept of a payload; None keeps all
        self.records = 1  # written so far; the header is, or will be before anything else
        self._seq = 1
        self._lost_records = 0
        self._lost_bytes = 0  # of traffic: the records' `size`, not their length in the file
        self._why = "write-error"  # they are lost
        name = (lambda t: path) if isinstance(path, str) else path
        parts = Parts(name, os.getpid() if pid is None else pid, storage)
        self._files = Files(parts, {"format": "mcpsniff", "version": 1, **header, **limits}, patient=patient)

    @property
    def path(self) -> str:
        """The file that is written."""
        return self._files.path

    @property
    def opened(self) -> bool:
        """Whether there has been a file."""
        return self._files.opened

    @property
    def failed(self) -> str | None:
        """A fault that cost records, in the system's words."""
        return self._files.failed

    @property
    def trouble(self) -> str | None:
        """A sentence on what the user should know of: records that could not be written, files not made or packed."""
        return self._files.trouble

    def add(self, kind: str, t: float, fields: Mapping[str, object], *, t0: float | None = None) -> int:
        """Writes one record and gives its `seq`. Values are plain data; bytes are JSON text, embedded as they are."""
        self._recover(t)
        seq = self._seq
        self._write(t, [record(kind, seq, t, fields, t0)], [_size(fields)])
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
        kind, fields = self._body(fields, body, size, cut)
        return self.add(kind, t, fields, t0=t0)

    def add_entries(self, entries: Sequence[Entry]) -> None:
        """Writes the records of entries, at least one, in one go."""
        t = entries[-1].t
        self._recover(t)
        made, sizes = [], []
        for seq, entry in enumerate(entries, self._seq):
            kind, fields = entry.type, entry.fields
            if kind is None:
                kind, fields = self._body(fields, entry.body, entry.size)
            made.append(record(kind, seq, entry.t, fields, entry.t0))
            sizes.append(_size(fields))
        self._write(t, made, sizes)

    def add_lines(self, stream: str, lines: Sequence[Line]) -> None:
        """Writes the lines of one chunk in one go; `stream` is "client" or "server" (who sent them), or "stderr"."""
        if lines:
            self._recover(lines[0].t)
            made = stdio_lines(stream, self._seq, lines, self.snaplen)
            self._write(lines[0].t, made, [line.size for line in lines])

    def lose(self, t: float, records: int, size: int, why: str) -> None:
        """Tells in a `gap` of traffic that never got here, `size` bytes; `seq` jumps by `records`."""
        self._recover(t)
        self._seq += records
        lost = self._lost_records
        fields = {"records": records, "bytes": size, "why": why}
        self._write(t, [record_line("gap", self._seq, t, fields)], [size])
        if self._lost_records > lost:  # the gap itself could not be written: the next one tells of both
            self._lost_records += records

    def end(self, t: float) -> None:
        """Writes the `end` record and closes the capture; what is added later is lost."""
        self._recover(t, now=True)
        self._write(t, [record_line("end", self._seq, t, {"records": self.records + 1})], [0])
        self.close()

    def close(self) -> None:
        """Closes the file without an `end` record, as the capture breaks off here, and waits for what is packed."""
        self._files.close()

    def _body(
        self, fields: Mapping[str, object], body: bytes, size: int, cut: bool = False
    ) -> tuple[str, dict[str, object]]:
        if "encoding" in fields:
            kept = body[: self.snaplen]
            short = {"truncated": True} if cut or len(kept) < len(body) else {}
            return "text", {**fields, "size": size, **short, **base64_payload(kept)}
        kind, payload = body_payload(body, cut, self.snaplen)
        return kind, {**fields, "size": size, **payload}

    def _write(self, t: float, lines: Sequence[Record], sizes: list[int]) -> None:
        written = 0
        if self._files.settled and not self._lost_records:  # else a record would stand before the gap that precedes it
            written = self._files.put(t, lines, sizes, self._seq)
        self._seq += len(lines)
        self.records += written
        if written < len(lines):
            self._lost_records += len(lines) - written
            self._lost_bytes += sum(sizes[written:])

    def _recover(self, t: float, *, now: bool = False) -> None:
        """Writes what is owed and the gap record, where there was a fault and writing works again."""
        gone = self._files.look(t, now=now)
        if gone is not None:
            self.records -= gone.records
            self._lost_records = self._seq - gone.first
            self._lost_bytes += gone.size
            self._why = gone.why
        if self._files.settle() and self._lost_records:
            fields = {"records": self._lost_records, "bytes": self._lost_bytes, "why": self._why}
            first = self._seq - self._lost_records  # the gap stands for them all
            if self._files.put(t, [record_line("gap", self._seq, t, fields)], [self._lost_bytes], first):
                self._lost_records = self._lost_bytes = 0
                self._why = "write-error"
                self._seq += 1
                self.records += 1


def _size(fields: Mapping[str, object]) -> int:
    """Bytes of traffic that a record tells of."""
    size = fields.get("size")
    return size if isinstance(size, int) else 0
