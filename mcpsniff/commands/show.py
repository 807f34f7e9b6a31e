"""`mcpsniff show FILE…`: what was said, one line a message, as quick as the report.

0: shown; 3: an input could not be read, the rest is still shown.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from mcpsniff.analysis.row import Row
from mcpsniff.analysis.stream import HELD, Stream
from mcpsniff.capture.parts import Files, PartsReader, read_parts
from mcpsniff.capture.reader import Reader
from mcpsniff.errors import McpsniffError
from mcpsniff.query import parse
from mcpsniff.render.words import count
from mcpsniff.rules.selection import DEFAULT_TIERS
from mcpsniff.wire.visible import visible

from .choice import Choice
from .garbage import ROWS, spare
from .inputs import captures
from .output import put, say, to_a_reader
from .rows import Style, Writer, writer
from .screen import text

UNREADABLE = 3  # exit status
NAMED = 5  # records, or damaged lines, named in one sentence


@dataclass(frozen=True, slots=True)
class Wishes:
    """What the user asked for."""

    filter: str = ""
    style: Style = Style.lines
    count: int | None = None  # rows


def run(names: Sequence[str], wishes: Wishes) -> int:
    """Shows captures (files, folders, globs, or "-") and gives the exit status."""
    show = Show(wishes)
    every = captures(names)
    spare(ROWS)
    with to_a_reader():
        for files in every:
            try:
                show.capture(files, named=len(every) > 1)
            except McpsniffError as error:
                say(str(error))
                show.refused += 1
    return UNREADABLE if show.refused else 0


class Show:
    """Writes the rows of captures, one after the other."""

    def __init__(self, wishes: Wishes) -> None:
        self._wishes = wishes
        self._meant = parse(wishes.filter)
        self._chooses = bool(wishes.filter.strip())
        self._left = wishes.count
        self._sessions = 0  # of the captures so far
        self.refused = 0

    def capture(self, files: Files, *, named: bool) -> None:
        """Shows one capture, below its name if that is wanted; raises McpsniffError where it is none."""
        if self._left == 0:
            return
        reader = read_parts(files)
        stream = Stream(reader, Choice(DEFAULT_TIERS).selection(files[0]), self._sessions)
        if named and self._wishes.style in (Style.lines, Style.exchanges):
            put(text(f"==> {visible(reader.name)} <=="))
        if self._write(stream, writer(self._wishes.style, http=reader.header.transport == "http")):
            _tell(reader, stream)
            self._sessions += len(stream.result.sessions)

    def _write(self, rows: Iterable[Row], written: Writer) -> bool:
        """Writes rows; whether it came to their end."""
        for row in rows:
            if (row.folded and not row.findings) or (self._chooses and not self._meant(row.field)):
                continue
            data = written(row)
            if not data:
                continue
            put(data)
            if self._left is not None:
                self._left -= 1
                if self._left == 0:
                    return False
        return True


def _tell(reader: Reader | PartsReader, stream: Stream) -> None:
    """Says on stderr what the lines cannot: what is missing, what came too late."""
    if stream.result.records <= 1:
        say(f"{reader.name} holds nothing but its header.")
    if reader.damaged_count:
        say(f"{reader.name} has {count(reader.damaged_count, 'damaged line')}: {_some(reader.damaged)}.")
    for store, dropped in stream.drops.items():
        say(f"{reader.name}: {store}: {dropped:,} dropped beyond {stream.drops.limits[store]:,}.")
    if late := stream.late:
        where = f"{reader.name}: {count(len(late), 'record')} ({_some(late)})"
        say(
            f"{where} had more found after {HELD:,} further rows, when they had been shown; mcpsniff report has it all."
        )


def _some(numbers: Sequence[int]) -> str:
    return ", ".join(map(str, numbers[:NAMED])) + (", …" if len(numbers) > NAMED else "")
