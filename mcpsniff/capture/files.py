"""The file that a capture is written to, and the way from one to the next: when a part is full, and when it is gone.

Once there is a file no fault of the disk raises. What stood in a file that is gone is told to the writer, which counts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, cast

from mcpsniff.capture.appender import Appender, reason
from mcpsniff.capture.encode import record_line
from mcpsniff.capture.long import LongRecord, Record
from mcpsniff.capture.rotation import Parts

_LOOK = 1.0  # seconds between two looks whether the file is still there, and two attempts to begin one


class Lost(NamedTuple):
    """What was in a file that is gone."""

    first: int  # `seq` of the first record that it told of, be it in a gap
    records: int  # that stood in it
    size: int  # bytes of traffic that it told of
    why: str


class Files:
    """The present file and those that follow; `header` is that of the capture."""

    def __init__(self, parts: Parts, header: Mapping[str, object], *, patient: bool) -> None:
        """Makes the first file; raises OSError where it cannot, unless it may be tried again later."""
        self._failed: str | None = None  # in earlier files, or for want of one
        self._parts = parts
        self._header = header
        self._closed = False
        self._looked = 0.0  # seconds, when the file was last seen to be there
        self._tried = -_LOOK  # seconds, when a next part could not be begun
        self._first = 1  # of the present file, as in Lost
        self._records = self._size = 0
        try:
            self._file = self._begin(0.0)
        except OSError as error:
            if not patient:
                raise
            self._failed = reason(error)
            self._file = Appender(parts.name(0.0), -1, b"")

    @property
    def path(self) -> str:
        """The present file."""
        return self._file.path

    @property
    def opened(self) -> bool:
        """Whether there has been a file."""
        return self._parts.number > 0

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
    def settled(self) -> bool:
        """Whether nothing is owed to the present file."""
        return self._file.settled

    def settle(self) -> bool:
        """Writes what is owed to it; whether nothing is any more."""
        return self._file.settle()

    def put(self, t: float, lines: Sequence[Record], sizes: list[int], first: int) -> int:
        """Appends lines, in several parts where one grows too large, and gives how many have stayed.

        `sizes` are those of the traffic that they tell of, bytes; `first` is the `seq` of the first of them.
        """
        done = 0
        while done < len(lines):
            if self._records and self._parts.full(self._file, t, lines[done]):
                self._rotate(t, first + done)
                if not self._file.settled:
                    break
            end = self._parts.fitting(self._file, lines, done)
            count = self._append(lines[done:end])
            self._records += count
            self._size += sum(sizes[done : done + count])
            done += count
            if done < end:
                break
        return done

    def look(self, t: float, *, now: bool = False) -> Lost | None:
        """Sees, once in a while or `now`, whether the file is still there, and begins another where it is not."""
        if not now and t - self._looked < _LOOK:
            return None
        self._looked = t
        if not self._file.gone():
            return None
        lost = Lost(self._first, self._records, self._size, "file-deleted" if self.opened else "write-error")
        try:
            file = self._begin(t)
        except OSError as error:
            self._failed = reason(error)
            return None
        self._failed = self.failed or "it was deleted"
        self._parts.forget(self._file)
        self._file = file
        self._records = self._size = 0
        return lost

    def close(self) -> None:
        """Closes the present file and waits for what is packed; no file is begun any more."""
        if not self._closed:
            self._closed = True
            self._parts.finish(self._file)
            self._parts.close()

    def _begin(self, t: float) -> Appender:
        """Makes the next file with its header; raises OSError where it cannot."""
        if self._closed:
            raise OSError("the capture has ended")
        part = self._parts.number + 1
        place: dict[str, object] = {"part": part} if part > 1 or self._parts.rotates else {}
        if part > 1 and "id" in self._header:
            place["previous"] = self._header["id"]
        return self._parts.begin(t, record_line("capture", 0, 0, {**self._header, **place}))

    def _append(self, lines: Sequence[Record]) -> int:
        """Appends lines to the present file, and gives how many have stayed."""
        if isinstance(lines[0], LongRecord):  # it comes alone
            return int(self._file.append_long(lines[0]))
        data = b"".join(cast("Sequence[bytes]", lines))
        kept = self._file.append(data)
        return len(lines) if kept == len(data) else data.count(b"\n", 0, kept)

    def _rotate(self, t: float, first: int) -> None:
        """Goes on in the next part; in this one where that cannot be begun."""
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
        self._first, self._records, self._size = first, 0, 0
