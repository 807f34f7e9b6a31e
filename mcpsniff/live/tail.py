"""One file of a capture that may still grow: its header, its records as they come, whether it has ended.

What is open stays readable when it is renamed, packed or removed. A packed file does not grow: it is read once.
"""

from __future__ import annotations

import os
from collections import deque

from mcpsniff.capture.decode import decode
from mcpsniff.capture.packing import SUFFIXES
from mcpsniff.capture.reader import read
from mcpsniff.capture.records import AnyRecord, Capture, End, Unknown
from mcpsniff.errors import McpsniffError

PIECE = 1 << 20  # bytes read at once
HEADER_LIMIT = 1 << 24  # bytes: a file of another kind may have no line feed at all
LAST = 4_096  # bytes in which an `end` record surely stands
PACKED = tuple(SUFFIXES.values())


def header_of(path: str) -> Capture | None:
    """Gives the header of a capture; None while it is not written. Raises McpsniffError where the file is none."""
    try:
        with open(path, "rb") as file:
            line = file.readline(HEADER_LIMIT)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise McpsniffError(f"{path} cannot be read: {error.strerror}.") from None
    if not path.endswith(PACKED) and len(line) < HEADER_LIMIT and not line.endswith(b"\n"):
        return None
    with read(path) as reader:
        return reader.header


def has_ended(path: str) -> bool:
    """Whether nothing will come any more: the file is packed, or an `end` record is its last."""
    if path.endswith(PACKED):
        return True
    with open(path, "rb") as file:
        file.seek(max(0, os.fstat(file.fileno()).st_size - LAST))
        lines = file.read().splitlines()
    try:
        return bool(lines) and isinstance(decode(lines[-1]), End)
    except ValueError:
        return False


class Tail:
    """Reads on in one file."""

    def __init__(self, path: str) -> None:
        """Opens it; raises OSError where it cannot."""
        self.damaged = 0  # lines that hold no record
        self._number = 0  # of the latest line
        self._lines: deque[bytes] = deque()  # read, and not given yet
        self._rest: list[bytes] = []  # pieces of the line that is being written
        self._file = open(path, "rb", buffering=0)  # noqa: SIM115

    def next(self) -> AnyRecord | Unknown | None:
        """Gives the next record; None where nothing more has been written so far."""
        while self._lines or self._fill():
            line = self._lines.popleft()
            self._number += 1
            try:
                record = decode(line)
            except ValueError:
                self.damaged += line != b"\n"
                continue
            record.line = self._number
            return record
        return None

    def _fill(self) -> bool:
        """Reads until a line is whole; False where none is."""
        while piece := self._file.read(PIECE):
            first, *others = piece.split(b"\n")
            self._rest.append(first)
            if others:
                whole = [b"".join(self._rest), *others[:-1]]
                self._lines.extend(line + b"\n" for line in whole)
                self._rest = [others[-1]]
                return True
        return False

    def close(self) -> None:
        """Closes the file."""
        self._file.close()


class PackedTail:
    """The same for a packed file, which is there as a whole."""

    def __init__(self, path: str) -> None:
        """Opens it; raises McpsniffError where it cannot."""
        self._reader = read(path)
        self._records = iter(self._reader)

    @property
    def damaged(self) -> int:
        """Lines that hold no record, so far."""
        return self._reader.damaged_count

    def next(self) -> AnyRecord | Unknown | None:
        """Gives the next record; None at the end."""
        return next(self._records, None)

    def close(self) -> None:
        """Closes the file."""
        self._reader.close()


def opened(path: str) -> Tail | PackedTail:
    """Opens a file to be read on; raises OSError or McpsniffError where it cannot."""
    return PackedTail(path) if path.endswith(PACKED) else Tail(path)
