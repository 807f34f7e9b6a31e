"""What a screen of followed captures shows: rows, those that the filter means, findings, counts. Knows no terminal."""

from __future__ import annotations

from collections import Counter, deque
from dataclasses import dataclass

from mcpsniff.analysis.pins import Pin
from mcpsniff.analysis.row import Row
from mcpsniff.capture.records import Capture
from mcpsniff.query import Predicate, parse

from .events import Began, Ended, Event, Found, Refused, Said

ROWS = 20_000  # that are kept, the latest
FINDINGS = 1_000  # likewise


@dataclass(frozen=True, slots=True, eq=False)
class Entry:
    """A row and the capture that it is of."""

    capture: Capture
    row: Row


@dataclass(frozen=True, slots=True, eq=False)
class Noted:
    """A finding, its row where that is still known, and the capture."""

    capture: Capture
    row: Row | None
    pin: Pin

    def same(self, other: Noted) -> bool:
        """Whether two are one finding."""
        mine, theirs = self.pin, other.pin
        at_one = (mine.seq, mine.rule, mine.message) == (theirs.seq, theirs.rule, theirs.message)
        return at_one and mine.session is theirs.session


class Board:
    """Takes events in; `settle` after some of them."""

    def __init__(self, filter: str = "") -> None:
        """Raises QueryError where the filter is none."""
        self.filter = filter
        self.chosen: list[Entry] = []  # the rows that the filter means
        self.findings: deque[Noted] = deque(maxlen=FINDINGS)
        self.severities: Counter[str] = Counter()  # of all findings so far
        self.total = 0  # rows so far
        self.dropped = 0  # rows that are not kept any more
        self.captures: dict[str, str] = {}  # id → path of the latest part
        self.ended: set[str] = set()  # ids
        self.refused: list[str] = []  # sentences
        self._meant: Predicate = parse(filter)
        self._rows: list[Entry] = []
        self._stale = False  # what is chosen is to be chosen anew

    def choose(self, filter: str) -> None:
        """Sets the filter; raises QueryError, and keeps the one before, where it is none."""
        self._meant = parse(filter)
        self.filter, self._stale = filter, True
        self.settle()

    def take(self, event: Event) -> None:
        """Takes one event in."""
        match event:
            case Began(path, header):
                self.captures[header.id] = path
            case Said(_, header, row):
                if not row.folded or row.findings:
                    self._add(Entry(header, row))
            case Found(_, header, row, pin, withdrawn):
                self._found(Noted(header, row, pin), withdrawn)
            case Ended(_, header, _):
                self.ended.add(header.id)
            case Refused(why):
                self.refused.append(why)

    def settle(self) -> None:
        """Chooses anew where that is needed, and forgets the oldest rows where there are too many."""
        if len(self._rows) > ROWS + ROWS // 10:  # now and then, not at every row
            self.dropped += len(self._rows) - ROWS
            self._rows, self._stale = self._rows[-ROWS:], True
        if self._stale:
            self.chosen = [entry for entry in self._rows if self._meant(entry.row.field)]
            self._stale = False

    def _add(self, entry: Entry) -> None:
        self.total += 1
        self._rows.append(entry)
        if self._meant(entry.row.field):
            self.chosen.append(entry)
        for pin in entry.row.findings:
            self._found(Noted(entry.capture, entry.row, pin), withdrawn=False)

    def _found(self, noted: Noted, withdrawn: bool) -> None:
        self.severities[noted.pin.severity] += -1 if withdrawn else 1
        if withdrawn:
            kept = [one for one in self.findings if not one.same(noted)]
            self.findings = deque(kept, maxlen=FINDINGS)
        else:
            self.findings.append(noted)
        self._stale = self._stale or self.filter.strip() != ""  # its row may be another to the filter now

    def place(self, noted: Noted) -> int | None:
        """Gives where the row of a finding stands among those chosen."""
        return next((n for n, entry in enumerate(self.chosen) if entry.row is noted.row), None)
