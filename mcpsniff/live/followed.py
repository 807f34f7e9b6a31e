"""One capture that is followed: its parts one after the other, analyzed as they come."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from mcpsniff.analysis.pins import Pin
from mcpsniff.analysis.row import Row
from mcpsniff.analysis.timeline import Watch
from mcpsniff.capture.records import Capture, End
from mcpsniff.protocol.bounded import BoundedDict, Drops
from mcpsniff.rules.selection import Selection

from .events import Began, Ended, Event, Found, Said
from .tail import PackedTail, Tail, opened

RECENT = 5_000  # rows that a finding may still be told of with

Told = dict[tuple[str, str], Pin]  # findings of one record: rule and sentence


class Followed:
    """Reads on in the files of one capture."""

    def __init__(self, path: str, header: Capture, selection: Selection) -> None:
        self.path = path  # of the latest part
        self.header = header
        self.part = header.part or 1  # of the latest part
        self.over = False
        self._watch = Watch(header, selection)
        self._tails: deque[Tail | PackedTail] = deque((opened(path),))
        self._damaged = 0
        self._new: deque[Event] = deque((Began(path, header),))
        self._recent: BoundedDict[int, Row] = BoundedDict("recent rows", RECENT, Drops())
        self._told: BoundedDict[int, Told] = BoundedDict("findings told", RECENT, Drops())

    def belongs(self, header: Capture) -> bool:
        """Whether another header is that of a later part."""
        return self.header.id != "" and self.header.id in (header.id, header.previous)

    def goes_on(self, path: str, header: Capture) -> None:
        """Takes the next part, if it is one."""
        if (header.part or 1) > self.part:
            self._tails.append(opened(path))
            self.path, self.part = path, header.part or 1
            self._new.append(Began(path, header))

    def events(self) -> Iterator[Event]:
        """Gives what is new, until the files end for now."""
        while self._new:
            yield self._new.popleft()
        while not self.over:
            record = self._tails[0].next()
            self._count_damage()
            if record is None:
                if len(self._tails) == 1:
                    return
                self._next_part()
            elif isinstance(record, Capture) and self._watch.engine.result.records:
                continue  # the header of a later part: seq and t go on
            else:
                yield from self._tell(self._watch.feed(record))
                if isinstance(record, End):
                    yield from self.finish()

    def finish(self) -> Iterator[Event]:
        """Ends its sessions and gives what that shows."""
        if self.over:
            return
        self.over = True
        for tail in self._tails:
            tail.close()
        result = self._watch.engine.finish()
        yield from self._tell(self._watch.timeline.take())
        yield Ended(self.path, self.header, result)

    def _next_part(self) -> None:
        self._tails.popleft().close()
        self._damaged = 0

    def _count_damage(self) -> None:
        if self._tails[0].damaged != self._damaged:
            self._damaged = self._tails[0].damaged
            self._watch.engine.lost()

    def _tell(self, rows: list[Row]) -> Iterator[Event]:
        """Gives rows with the findings that came with them, then what else was found, or is no fault any more."""
        pins = self._watch.timeline.pins
        changed = dict.fromkeys(pins.changed())
        for row in rows:
            if row.is_culprit:
                self._recent[row.seq] = row
            if row.seq in changed:
                self._told[row.seq] = _by_fault(pins.of(row.seq))
            yield Said(self.path, self.header, row)
        for seq in changed:
            yield from self._compare(seq, _by_fault(pins.of(seq)))

    def _compare(self, seq: int, now: Told) -> Iterator[Event]:
        before = self._told.get(seq) or {}
        if now.keys() != before.keys():
            self._told[seq] = now
            row = self._recent.get(seq)
            for fault in (fault for fault in now if fault not in before):
                yield Found(self.path, self.header, row, now[fault])
            for fault in (fault for fault in before if fault not in now):
                yield Found(self.path, self.header, row, before[fault], withdrawn=True)


def _by_fault(pins: list[Pin]) -> Told:
    return {(pin.rule, pin.message): pin for pin in pins}
