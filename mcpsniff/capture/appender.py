"""One file of a capture: whole lines are appended, and of a line all or nothing.

Once it is open no fault of the disk raises: `append` says how much has stayed. A torn line is cut off again, or ended
where not even that is possible. Does not number, count or name anything.
"""

from __future__ import annotations

import os
from collections.abc import Iterable

_sync = getattr(os, "fdatasync", os.fsync)  # where the system has no such call, the slower one


class Appender:
    """A new file, its first line written or owed. `fd` is below 0 where there is no file yet: nothing stays then."""

    def __init__(self, path: str, fd: int, header: bytes, *, sync: bool = False) -> None:
        self.path = path
        self.size = 0  # bytes up to the end of the last whole line
        self.failed: str | None = None  # the last fault in the system's words
        self._fd = fd
        self._sync = sync  # each write reaches the disk before the next
        self._owed = b""  # to be written before anything else: the header, or the end of a torn line
        if self.append(header) < len(header):
            self._owed += header

    @property
    def settled(self) -> bool:
        """Whether nothing is owed."""
        return not self._owed

    def settle(self) -> bool:
        """Writes what is owed; whether nothing is any more."""
        owed, self._owed = self._owed, b""
        if owed and self.append(owed) < len(owed):
            self._owed += owed
        return self.settled

    def append(self, data: bytes) -> int:
        """Appends whole lines, all or as many as the disk takes, and gives the bytes that stayed; a torn line goes."""
        done, whole = self._write((data,))
        kept = done if whole else data.rfind(b"\n", 0, done) + 1
        self._keep(kept, done)
        return kept

    def append_long(self, line: Iterable[bytes]) -> bool:
        """Appends the pieces of one line; whether it stayed, else nothing of it has."""
        done, whole = self._write(line)
        self._keep(done if whole else 0, done)
        return whole

    def gone(self) -> bool:
        """Whether what is written here is for nobody: there is no file, or no name leads to it any more."""
        try:
            return os.fstat(self._fd).st_nlink == 0
        except OSError:
            return True

    def close(self) -> None:
        """Closes the file; what is appended later does not stay."""
        fd, self._fd = self._fd, -1
        if fd < 0:
            return
        try:
            os.close(fd)
        except OSError as error:  # a network's disk may say so only now
            self.failed = reason(error)

    def _write(self, pieces: Iterable[bytes]) -> tuple[int, bool]:
        """Writes as far as the disk lets it: how many bytes, and whether that is all."""
        done, whole = 0, False
        try:
            for piece in pieces:
                rest: bytes | memoryview = piece
                while rest:
                    count = os.write(self._fd, rest)
                    done += count
                    rest = memoryview(rest)[count:]
            whole = True
            if self._sync:
                _sync(self._fd)
        except OSError as error:
            self.failed = reason(error)
        return done, whole

    def _keep(self, kept: int, done: int) -> None:
        """Takes off again what was written behind the `kept` bytes."""
        if kept < done and not self._truncate(self.size + kept):
            self._owed = b"\n"  # the torn line stays and is ended, so that it spoils no other
            self.size += done - kept
        self.size += kept

    def _truncate(self, size: int) -> bool:
        try:
            os.ftruncate(self._fd, size)
        except OSError:
            return False
        return True


def reason(error: OSError) -> str:
    """What went wrong, in the system's words."""
    return error.strerror or str(error)
