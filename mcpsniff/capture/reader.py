"""Reads captures: records in the order of the file, in constant memory.

Tolerates what happens to files: a cut end, damaged lines, records and keys of later versions; each is counted and none
is fatal. What is no capture is refused by name. Does not follow a growing file and does not judge what it reads.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from types import TracebackType
from typing import BinaryIO

from mcpsniff.capture.decode import decode
from mcpsniff.capture.records import AnyRecord, Capture, End, Unknown
from mcpsniff.capture.source import Source
from mcpsniff.errors import McpsniffError

VERSION = 1
_HEADER_LIMIT = 1 << 24  # bytes: a file of another kind may have no line feed at all
_NAMED_LINES = 1000  # damaged lines that are remembered by number


def read(source: str | BinaryIO) -> Reader:
    """Opens a capture: a path, "-" for standard input, or an open binary file; plain, gzip or zstd."""
    return Reader(source)


class Reader:
    """The records of one capture, to be iterated once; the header is the first of them."""

    def __init__(self, source: str | BinaryIO) -> None:
        """Reads the header; raises McpsniffError where there is none."""
        self._source = Source(source)
        self.name = self._source.name
        self.damaged: list[int] = []  # numbers of lines that hold no record, the first thousand
        self.damaged_count = 0
        self.cut = True  # the capture breaks off: no `end` record, or something torn after it
        try:
            self.header = self._read_header()
        except BaseException:
            self.close()
            raise
        self.files = [(0, self.name)]  # each that is read, behind the `seq` from which on records are its
        self.numbers = [self.header.part or 1]  # of the parts that are read

    @property
    def bytes_read(self) -> int:
        """Bytes read of the input so far, some of them ahead."""
        return self._source.bytes_read

    def __iter__(self) -> Iterator[AnyRecord | Unknown]:
        yield self.header
        try:
            for number, line in enumerate(self._source.lines, 2):
                try:
                    record = decode(line)
                except ValueError:
                    self._damage(line, number)
                    continue
                record.line = number
                if type(record) is End:
                    self.cut = False
                yield record
        except self._source.broken:
            self.cut = True
        except OSError as error:
            raise McpsniffError(f"{self._source.name} cannot be read to its end: {error.strerror}.") from None
        finally:
            self.close()

    def close(self) -> None:
        """Closes the input; iterating to the end does so too."""
        self._source.close()

    def __enter__(self) -> Reader:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def _damage(self, line: bytes, number: int) -> None:
        if not line.endswith(b"\n"):
            self.cut = True  # the last line, torn
        elif line != b"\n":
            self.damaged_count += 1
            if len(self.damaged) < _NAMED_LINES:
                self.damaged.append(number)

    def _read_header(self) -> Capture:
        line = self._first_line()
        header: AnyRecord | Unknown | None = None
        with suppress(ValueError):
            header = decode(line)
        if not isinstance(header, Capture) or header.format not in ("", "mcpsniff"):
            why = "its first line is not a capture header" if line else "it is empty"
            raise McpsniffError(f"{self._source.name} is no mcpsniff capture: {why}.")
        if header.version != VERSION:
            raise McpsniffError(
                f"{self._source.name} is a capture of version {header.version}; this mcpsniff reads version {VERSION}."
            )
        header.line = 1
        return header

    def _first_line(self) -> bytes:
        try:
            return self._source.lines.readline(_HEADER_LIMIT)
        except self._source.broken:
            raise McpsniffError(
                f"{self._source.name} cannot be read: packed data is damaged or cut short before its first line ends."
            ) from None
