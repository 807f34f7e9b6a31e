"""The rows of a capture of any size, in constant memory, each with what was found of it within a while."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from mcpsniff.capture.parts import PartsReader
from mcpsniff.capture.reader import Reader
from mcpsniff.protocol.bounded import BoundedDict, Drops
from mcpsniff.rules.selection import DEFAULT, Selection

from .engine import conclude, feed_each
from .pins import CAP, Pin
from .result import CaptureResult
from .row import Row
from .timeline import Watch

HELD = 5_000  # rows that wait for what is found of them
AT_ONCE = 100  # records that are read before their rows are looked at


class Stream:
    """The rows of one capture in order, each held back for a while: what is found of it until then stands with it."""

    def __init__(
        self, reader: Reader | PartsReader, selection: Selection = DEFAULT, before: int = 0, *, counted: bool = False
    ) -> None:
        """`counted`: whether the result has the sessions' figures, too."""
        self._reader = reader
        self._watch = Watch(reader.header, selection, before, counted=counted)
        self._held: deque[Row] = deque()
        self._last = -1  # record of the latest row given
        self._found: BoundedDict[int, int] = BoundedDict("rows with findings", CAP, self.drops)  # how many, when given
        self._late: BoundedDict[int, None] = BoundedDict("late findings", CAP, self.drops)
        self._result: CaptureResult | None = None

    def __iter__(self) -> Iterator[Row]:
        for number, _ in enumerate(feed_each(self._reader, self._watch.engine)):
            if number % AT_ONCE == 0:
                self._hold()
                yield from self._given(HELD)
        self._result = conclude(self._reader, self._watch.engine)
        self._hold()
        yield from self._given(0)

    def _hold(self) -> None:
        self._held += self._watch.timeline.take()
        for seq in self._watch.timeline.pins.changed():
            if seq <= self._last:
                self._late[seq] = None

    def _given(self, kept: int) -> Iterator[Row]:
        """Gives the first of the rows held, but for the last `kept` of them."""
        while len(self._held) > kept:
            row = self._held.popleft()
            self._last = max(self._last, row.seq)
            if found := row.findings:
                self._found[row.seq] = len(found)
            yield row

    @property
    def drops(self) -> Drops:
        """What could not be kept."""
        return self._watch.timeline.drops

    @property
    def result(self) -> CaptureResult:
        """The result, once all rows were given."""
        assert self._result is not None
        return self._result

    def findings(self, seq: int) -> list[Pin]:
        """Gives the findings whose culprit a record is."""
        return self._watch.timeline.pins.of(seq)

    @property
    def late(self) -> list[int]:
        """The records that something was found of when their row had been given."""
        return [seq for seq in self._late if len(self.findings(seq)) > (self._found.get(seq) or 0)]
