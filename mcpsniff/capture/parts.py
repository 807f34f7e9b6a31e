"""Files that are the parts of one capture, read as one, in the order of their numbers; which are missing is told.

Of the headers the first is given alone; `seq` and `t` go on from part to part, and `line` is that of the part's file.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from itertools import islice
from typing import BinaryIO, NamedTuple, TypeAlias

from mcpsniff.capture.packing import SUFFIXES
from mcpsniff.capture.reader import Reader, read
from mcpsniff.capture.records import AnyRecord, Capture, Unknown
from mcpsniff.capture.source import Source
from mcpsniff.errors import McpsniffError

_NAMED = 20  # missing parts that are told by number
_PACKED = tuple(SUFFIXES.values())

Files: TypeAlias = tuple[str, ...]  # paths of the parts of one capture, in their order


class Missing(NamedTuple):
    """Parts that should be there, as later ones are."""

    total: int
    numbers: list[int]  # the first of them


def grouped(paths: Sequence[str]) -> list[Files]:
    """The captures that files hold: the parts of one together, all in the order in which they are first named."""
    captures: list[list[_File]] = []
    by_id: dict[str, list[_File]] = {}
    for file in sorted(_file(path, place) for place, path in enumerate(paths)):
        capture = next((by_id[id_] for id_ in file.ids if id_ in by_id), None)
        if capture is None:
            captures.append(capture := [])
        by_id.update(dict.fromkeys(file.ids, capture))
        if not capture or capture[-1].part < file.part:  # else the same part once more, packed or named twice
            capture.append(file)
    captures.sort(key=lambda files: min(file.place for file in files))
    return [tuple(file.path for file in files) for files in captures]


def read_parts(source: str | BinaryIO | Files) -> Reader:
    """Opens a capture of one file or of several; raises McpsniffError where none of them is one."""
    return PartsReader(source) if isinstance(source, tuple) else read(source)


def missing(numbers: Collection[int]) -> Missing:
    """The parts that are not among those read."""
    there = {number for number in numbers if number > 0}
    last = max(there, default=0)
    return Missing(last - len(there), list(islice((n for n in range(1, last) if n not in there), _NAMED)))


class PartsReader(Reader):
    """The records of a capture that lies in several files; a part that cannot be read counts as missing."""

    def __init__(self, paths: Files) -> None:
        """Opens the first that can be read; raises McpsniffError, on the first, where there is none."""
        self._rest = (_forms(path) for path in paths)
        self._read = 0  # bytes, of the files before this one
        failed: list[McpsniffError] = []
        for forms in self._rest:
            for path in forms:
                try:
                    return super().__init__(path)
                except McpsniffError as error:
                    failed.append(error)
        raise failed[0]

    @property
    def bytes_read(self) -> int:
        """Bytes read of the files so far, some of them ahead."""
        return self._read + super().bytes_read

    def __iter__(self) -> Iterator[AnyRecord | Unknown]:
        yield self.header
        yield from islice(super().__iter__(), 1, None)
        while self._go_on():
            records = islice(super().__iter__(), 1, None)
            first = next(records, None)
            if first is not None:
                self.files.append((first.seq, self._source.name))
                yield first
                yield from records

    def _go_on(self) -> bool:
        """Opens the next file; whether there is one."""
        for forms in self._rest:
            for path in forms:
                with suppress(McpsniffError):
                    self._open(path)
                    return True
        return False

    def _open(self, path: str) -> None:
        source = Source(path)
        self._read, self._source = self.bytes_read, source
        try:
            self.numbers.append(self._read_header().part or 1)
        except McpsniffError:
            self.close()
            raise


def _forms(path: str) -> Files:
    """The path, and those of the packed files that may just have taken its place."""
    return (path, *(path + suffix for suffix in _PACKED))


class _File(NamedTuple):
    """A file and its place in a capture."""

    part: int  # 0 where it is none
    packed: bool  # the plain file goes first: it is whole as long as it is there
    place: int  # among the files named
    path: str
    ids: tuple[str, ...]  # by which the other parts know it


def _file(path: str, place: int) -> _File:
    header = next(filter(None, map(_header, _forms(path))), None)
    if header is None or not header.part:
        return _File(0, False, place, path, ())
    ids = tuple(id_ for id_ in (header.previous, header.id) if id_)
    return _File(header.part, path.endswith(_PACKED), place, path, ids)


def _header(path: str) -> Capture | None:
    """The header of a regular file; anything else can be read but once."""
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):
            return None
        with read(path) as reader:
            return reader.header
    except (OSError, ValueError, McpsniffError):
        return None
