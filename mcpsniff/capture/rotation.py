"""The files of one capture, one after the other: their names, when the next one begins, which stay, and packing.

In a rotation each file is a part with its number in its name, so that names sort by time. Nothing is overwritten, and
only files made here are removed. Finished files are packed by a thread, so that recording goes on meanwhile.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterator, Sequence, Sized
from contextlib import suppress
from itertools import islice
from typing import TYPE_CHECKING, Protocol

from mcpsniff.capture.appender import Appender, reason
from mcpsniff.capture.long import LongRecord, Record
from mcpsniff.capture.packing import SUFFIXES, pack, remove
from mcpsniff.capture.paths import candidates, numbered

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor


class Storage(Protocol):
    """How a capture is to lie on the disk; None where there is no limit."""

    part_size: int | None  # bytes that a file may grow to
    part_seconds: int | None  # that a file may be written to
    parts: int | None  # files that are kept, the newest
    compress: str | None  # how finished files are packed, "gzip" or "zstd"
    sync: bool  # each record is on the disk before the next is written


class Parts:
    """Makes the files of a capture; `name` gives the path of one that begins at a time in seconds."""

    def __init__(self, name: Callable[[float], str], pid: int, storage: Storage | None) -> None:
        self.number = 0  # of the file that is written, from 1
        self.stuck: str | None = None  # what could not be done beside writing, and why
        self.name = name
        self._pid = pid
        self._size = storage.part_size if storage else None
        self._seconds = storage.part_seconds if storage else None
        self._kept = storage.parts if storage else None
        self._compress = storage.compress if storage else None
        self._sync = storage.sync if storage else False
        self._began = 0.0  # seconds
        self._taken = 0  # spellings of the name that were others' when the first file was made
        self._made: deque[str] = deque()  # paths, the oldest first
        self._packer: ThreadPoolExecutor | None = None

    @property
    def rotates(self) -> bool:
        """Whether there may be several files by the user's wish."""
        return self._size is not None or self._seconds is not None

    def begin(self, t: float, header: bytes) -> Appender:
        """Makes the next file (mode 0600, missing folders 0700); raises OSError where it cannot."""
        fd, path = self._create(self.name(t))
        self.number += 1
        self._began = t
        self._made.append(path)
        return Appender(path, fd, header, sync=self._sync)

    def full(self, file: Appender, t: float, line: Sized) -> bool:
        """Whether one line more, now, belongs into the next file."""
        too_large = self._size is not None and file.size + len(line) > self._size
        return too_large or (self._seconds is not None and t - self._began >= self._seconds)

    def fitting(self, file: Appender, lines: Sequence[Record], start: int) -> int:
        """Where those of the lines end, from `start` on and at least one, that are to be appended to this file next."""
        if LongRecord in map(type, lines):  # one in pieces goes alone, and so do its few neighbours
            return start + 1
        if self._size is None:
            return len(lines)
        end, room = start, self._size - file.size
        while end < len(lines) and (room := room - len(lines[end])) >= 0:
            end += 1
        return max(end, start + 1)

    def finish(self, file: Appender) -> None:
        """Closes a file, has it packed where that is wished, and removes the oldest where there are too many."""
        file.close()
        if self._compress is not None:
            how = self._compress
            self._later("pack", lambda path: pack(path, how), file.path)
        while self._kept is not None and len(self._made) > self._kept:
            self._later("remove", remove, self._made.popleft())

    def forget(self, file: Appender) -> None:
        """Closes a file that is gone; its name may be another's by now."""
        file.close()
        if file.path in self._made:
            self._made.remove(file.path)

    def close(self) -> None:
        """Waits until all that is packed has been packed."""
        if self._packer is not None:
            self._packer.shutdown()

    def _create(self, path: str) -> tuple[int, str]:
        _make_private(os.path.dirname(path))
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND | getattr(os, "O_CLOEXEC", 0)
        for taken, name in enumerate(self._names(path), self._taken):
            if self._compress is not None and os.path.lexists(name + SUFFIXES[self._compress]):
                continue
            with suppress(FileExistsError):
                fd = os.open(name, flags, 0o600)
                self._taken = taken
                return fd, name
        raise AssertionError("candidates never end")

    def _names(self, path: str) -> Iterator[str]:
        """The names to try; those of a rotation keep to the spelling that the first one has found free."""
        names = islice(candidates(path, self._pid), self._taken, None)
        return (numbered(name, self.number + 1) for name in names) if self.rotates else names

    def _later(self, what: str, do: Callable[[str], None], path: str) -> None:
        """Does something with a finished file: behind what is being packed, or at once where nothing is."""

        def attempt() -> None:
            try:
                do(path)
            except OSError as error:
                self.stuck = f"cannot {what} {path!r}: {reason(error)}"
            except ImportError:
                self.stuck = f"cannot {what} {path!r}: install backports.zstd"

        if self._compress is None:
            attempt()
            return
        if self._packer is None:
            from concurrent.futures import ThreadPoolExecutor

            self._packer = ThreadPoolExecutor(1, "packer")
        self._packer.submit(attempt)


def _make_private(folder: str) -> None:
    """Makes the missing folders of a path with mode 0700 (os.makedirs would give it to the last one alone)."""
    if not folder or os.path.isdir(folder):
        return
    _make_private(os.path.dirname(folder))
    with suppress(FileExistsError):  # another process may be faster
        os.mkdir(folder, 0o700)
