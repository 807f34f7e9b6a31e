"""`mcpsniff follow FILE|FOLDER`: captures as they are written, on a screen, or in lines where stdout is no terminal."""

from __future__ import annotations

import os
import select
import signal
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from importlib.util import find_spec

from mcpsniff.analysis.row import Row
from mcpsniff.capture.records import Capture
from mcpsniff.errors import McpsniffError
from mcpsniff.live.events import Ended, Event, Found, Refused, Said
from mcpsniff.live.follower import Follower
from mcpsniff.query import parse
from mcpsniff.rules.selection import DEFAULT_TIERS
from mcpsniff.wire.visible import visible

from .choice import Choice
from .inputs import files
from .output import put, say, to_a_reader
from .rows import Style, Writer, layout, writer
from .screen import text

PAUSE = 200  # milliseconds between two looks


@dataclass(frozen=True, slots=True)
class Wishes:
    """What the user asked for."""

    filter: str = ""
    findings: bool = False  # no rows
    json: bool = False
    count: int | None = None  # rows, or findings where there are no rows


def run(name: str, wishes: Wishes) -> int:
    """Follows the captures of a file, of its parts, or of a folder until it is interrupted."""
    if name == "-":
        raise McpsniffError("follow reads files; mcpsniff show - shows what comes from standard input.")
    parse(wishes.filter)
    follower = Follower(lambda: _there(name), Choice(DEFAULT_TIERS).selection, past=not os.path.isdir(name))
    if sys.stdout.isatty() and not (wishes.findings or wishes.json):
        if find_spec("textual") is not None:
            from mcpsniff.live.screen import show

            show(follower, name, wishes.filter)
            Printer(wishes).conclude(follower)
            return 0
        say("The screen needs textual, which mcpsniff[live] brings; here are lines.")
    if not _there(name):
        say(f"{name} holds no capture yet; waiting for one." if os.path.isdir(name) else f"Waiting for {name}.")
    with to_a_reader():
        Printer(wishes).follow(follower)
    return 0


def _there(name: str) -> list[str]:
    """Gives the files that a name stands for now."""
    return [path for path in files(name) if os.path.isfile(path)]


class Printer:
    """Prints what a follower tells."""

    def __init__(self, wishes: Wishes) -> None:
        self._meant = parse(wishes.filter)
        self._chooses = bool(wishes.filter.strip())
        self._rows = not wishes.findings
        self._style = Style.json if wishes.json else Style.lines
        self._left = wishes.count
        self._stopped = False
        self._writers: dict[str, Writer] = {}
        self._latest: str | None = None  # the capture that was printed of last

    def follow(self, follower: Follower) -> None:
        """Prints until it is interrupted, enough rows were printed, or nobody reads them any more."""
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._stop)
        while self._goes_on:
            if not self._print(follower.events()) and not _pause():
                return
        if self._left != 0:
            self._stopped = False
            self._print(follower.finish())

    def conclude(self, follower: Follower) -> None:
        """Prints what the ends of all sessions show."""
        for event in follower.finish():
            if isinstance(event, Found):
                self._put(event.path, event.header, self._finding(event))

    def _stop(self, *_: object) -> None:
        """Ends it between two events, lest one is taken in by half."""
        self._stopped = True

    @property
    def _goes_on(self) -> bool:
        return not self._stopped and self._left != 0

    def _print(self, events: Iterable[Event]) -> bool:
        """Prints events; whether there were any."""
        some = False
        for event in events:
            some = True
            self._tell(event)
            if not self._goes_on:
                break
        sys.stdout.flush()
        return some

    def _tell(self, event: Event) -> None:
        match event:
            case Said(path, header, row):
                if (row.findings or (self._rows and not row.folded)) and self._meant(row.field):
                    self._say(path, header, row)
            case Found(row=row):
                if not self._chooses if row is None else self._meant(event.field):
                    self._find(event)
            case Ended(path, _, result):
                if result.complete:
                    say(f"{path} has ended.")
            case Refused(why):
                say(why)

    def _say(self, path: str, header: Capture, row: Row) -> None:
        if self._rows:
            self._put(path, header, self._writer(header)(row))
            self._count()
            return
        for pin in row.findings:
            if self._goes_on:
                self._find(Found(path, header, row, pin))

    def _find(self, found: Found) -> None:
        self._put(found.path, found.header, self._finding(found))
        if not self._rows:
            self._count()

    def _count(self) -> None:
        if self._left is not None:
            self._left -= 1

    def _writer(self, header: Capture) -> Writer:
        if header.id not in self._writers:
            self._writers[header.id] = writer(self._style, http=header.transport == "http")
        return self._writers[header.id]

    def _finding(self, found: Found) -> bytes:
        if self._style is Style.json:
            from mcpsniff.render.lines.data import finding_json

            x = None if found.row is None else found.row.x
            return finding_json(found.header.id, x, found.pin, withdrawn=found.withdrawn)
        return text(layout(http=False).found(found.pin, withdrawn=found.withdrawn))

    def _put(self, path: str, header: Capture, data: bytes) -> None:
        """Writes something of a capture, below its name where the line before is another's."""
        if self._style is Style.lines and self._latest not in (None, header.id):
            put(text("", f"==> {visible(path)} <=="))
        self._latest = header.id
        put(data)


def _pause() -> bool:
    """Waits for a while; False where nobody reads stdout any more."""
    reader = select.poll()
    reader.register(sys.stdout.fileno(), 0)
    return not reader.poll(PAUSE)
