"""Appends records to a capture; the only place that writes the format.

A record is one `os.write`, the lines of one chunk share one, so what was recorded survives a killed process. Once the
capture is open no fault of the disk raises, not even the loss of the file: what could not be written or is gone is
counted, uses up its `seq` numbers, and is told of in a `gap` record as soon as writing works again. Does not redact.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence

from mcpsniff.capture.appender import Appender, reason
from mcpsniff.capture.encode import base64_payload, body_payload, record_line, stdio_lines
from mcpsniff.capture.rotation import Parts, Storage
from mcpsniff.wire.lines import Line

_LOOK = 1.0  # seconds between two looks whether the file is still there, and two attempts to begin one


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
        pid = os.getpid() if pid is None else pid
        limits = {} if snaplen is None else {"snaplen": snaplen}
        self.snaplen = snaplen  # bytes kept of a payload; None keeps all
        self.records = 1  # written so far; the header is, or will be before anything else
        self._header = {"format": "mcpsniff", "version": 1, **header, **limits}
        self._failed: str | None = None
        self._closed = False
        self._parts = Parts((lambda t: path) if isinstance(path, str) else path, pid, storage)
        self._seq = 1
        self._lost_records = 0
        self._lost_bytes = 0  # of traffic: the records' `size`, not their length in the file
        self._why = "write-error"  # they are lost
        self._looked = 0.0  # seconds, when the file was last seen to be there
        self._tried = -_LOOK  # seconds, when a next part could not be begun
        self._first_here = 1  # `seq` of the first record of which this file tells, be it in a gap
        self._records_here = 0
        self._bytes_here = 0  # of traffic, those told in gaps included
        try:
            self._file = self._begin(0.0)
        except OSError as error:
            if not patient:
                raise
            self._failed = reason(error)
            self._file = Appender(path if isinstance(path, str) else path(0.0), -1, b"")

    @property
    def path(self) -> str:
        """The file that is written."""
        return self._file.path

    @property
    def failed(self) -> str | None:
        """A fault that cost records, in the system's words."""
        return self._failed or self._file.failed

    @property
    def trouble(self) -> str | None:
        """A sentence on what the user should know of: records that could not be written, files not made or packed."""
        if self.failed is not None:
            return f"cannot write all of the capture {self.path!r}: {self.failed}"
        if self._parts.stuck is not None:
            return f"the capture {self.path!r} is whole, but {self._parts.stuck}"
        return None

    @property
    def opened(self) -> bool:
        """Whether there has been a file."""
        return self._parts.number > 0

    def add(self, kind: str, t: float, fields: Mapping[str, object], *, t0: float | None = None) -> int:
        """Writes one record and gives its `seq`. Values are plain data; bytes are JSON text, embedded as they are."""
        self._recover(t)
        seq = self._seq
        size = fields.get("size")
        self._write(t, [record_line(kind, seq, t, fields, t0)], [size if isinstance(size, int) else 0])
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
        self._look(t)
        self._recover(t)
        self._write(t, [record_line("end", self._seq, t, {"records": self.records + 1})], [0])
        self.close()

    def close(self) -> None:
        """Closes the file without an `end` record, as the capture breaks off here, and waits for what is packed."""
        if not self._closed:
            self._closed = True
            self._parts.finish(self._file)
            self._parts.close()

    def _write(self, t: float, lines: list[bytes], sizes: list[int]) -> None:
        self._seq += len(lines)
        # Nothing while something is owed or lost, or a record would stand before the gap that precedes it.
        written = self._put(t, lines, sizes) if self._file.settled and not self._lost_records else 0
        if written < len(lines):
            self._lost_records += len(lines) - written
            self._lost_bytes += sum(sizes[written:])

    def _put(self, t: float, lines: list[bytes], sizes: list[int]) -> int:
        """Writes lines, in several parts where one grows too large, and gives how many have stayed."""
        done, last = 0, len(lines)
        while done < last:
            if self._records_here and self._parts.full(self._file, t, len(lines[done])):
                self._rotate(t, self._seq - last + done)
                if not self._file.settled:
                    break
            end = self._parts.fitting(self._file, lines, done)
            data = b"".join(lines[done:end])
            kept = self._file.append(data)
            count = end - done if kept == len(data) else data.count(b"\n", 0, kept)
            self._note(count, sum(sizes[done : done + count]))
            done += count
            if done < end:
                break
        return done

    def _note(self, records: int, size: int) -> None:
        self.records += records
        self._records_here += records
        self._bytes_here += size

    def _recover(self, t: float) -> None:
        """Writes what is owed and the gap record, where there was a fault and writing works again."""
        if t - self._looked >= _LOOK:
            self._look(t)
        if self._file.settle() and self._lost_records:
            fields = {"records": self._lost_records, "bytes": self._lost_bytes, "why": self._why}
            line = record_line("gap", self._seq, t, fields)
            if self._file.append(line) == len(line):
                self._seq += 1
                self._note(1, self._lost_bytes)
                self._lost_records = self._lost_bytes = 0
                self._why = "write-error"

    def _begin(self, t: float) -> Appender:
        """Makes the next file with its header; raises OSError where it cannot."""
        if self._closed:
            raise OSError("the capture has ended")
        part = self._parts.number + 1
        place: dict[str, object] = {"part": part} if part > 1 or self._parts.rotates else {}
        if part > 1 and "id" in self._header:
            place["previous"] = self._header["id"]
        return self._parts.begin(t, record_line("capture", 0, 0, self._header | place))

    def _rotate(self, t: float, seq: int) -> None:
        """Goes on in the next part, of which `seq` is the first; in this one where that cannot be begun."""
        if t - self._tried < _LOOK:
            return
        try:
            file = self._begin(t)
        except OSError as error:
            self._tried = t
            self._parts.stuck = f"cannot begin its next part: {reason(error)}"
            return
        self._failed = self.failed
        self._parts.finish(self._file)
        self._file = file
        self._first_here, self._records_here, self._bytes_here = seq, 0, 0

    def _look(self, t: float) -> None:
        """Sees whether the file is still there, and begins another where it is not: what stood in it is lost."""
        self._looked = t
        if not self._file.gone():
            return
        had_file = self.opened
        try:
            file = self._begin(t)
        except OSError as error:
            self._failed = reason(error)
            return
        if had_file:
            self._failed = self.failed or "it was deleted"
            self._why = "file-deleted"
        self._parts.forget(self._file)
        self._file = file
        self.records -= self._records_here
        self._lost_records = self._seq - self._first_here
        self._lost_bytes += self._bytes_here
        self._records_here = self._bytes_here = 0
