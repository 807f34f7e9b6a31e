"""Where records stand in their file: the line of each, for as many runs of unbroken numbering as are kept."""

from __future__ import annotations

from collections import deque
from math import inf

RUNS = 1_000  # latest; an undamaged capture is one run


class Lines:
    """The line of a record by its `seq`."""

    def __init__(self) -> None:
        self._runs: deque[tuple[int, int, int]] = deque(maxlen=RUNS)  # first seq, its line, seq after the last
        self._seq, self._line = 0, 0  # of the run that grows
        self.end = inf  # seq after the last of it, once that is known

    def begin(self, seq: int, line: int, before: int) -> None:
        """Takes in a record that does not follow the one before it, whose next would have been `before`."""
        self._runs.append((self._seq, self._line, before))
        self._seq, self._line = seq, line

    def of(self, seq: int) -> int | None:
        """Gives the line, from 1; None where it is not known any more, or the record came from no file."""
        if self._seq <= seq < self.end:
            return self._line + seq - self._seq if self._line else None
        for first, line, end in reversed(self._runs):
            if first <= seq < end:
                return line + seq - first or None
        return None
