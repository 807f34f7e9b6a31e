"""Where records stand in their file: the line of each, for as many runs of unbroken numbering as are kept."""

from __future__ import annotations

from collections import deque

RUNS = 1_000  # latest; an undamaged capture is one run


class Lines:
    """The line of a record by its `seq`."""

    def __init__(self) -> None:
        self._runs: deque[tuple[int, int, int]] = deque(maxlen=RUNS)  # first seq, its line, records
        self._seq, self._line, self._count = 0, 0, 0  # of the run that grows

    def note(self, seq: int, line: int) -> None:
        """Takes in the next record of the file."""
        if seq != self._seq + self._count or line != self._line + self._count:
            self._runs.append((self._seq, self._line, self._count))
            self._seq, self._line, self._count = seq, line, 0
        self._count += 1

    def of(self, seq: int) -> int | None:
        """Gives the line, from 1; None where it is not known any more, or the record came from no file."""
        for first, line, count in ((self._seq, self._line, self._count), *reversed(self._runs)):
            if 0 <= seq - first < count:
                return line + seq - first or None
        return None
