"""`mcpsniff show FILE…`: what was said, one line a message, as quick as the report.

0: shown; 3: an input could not be read, the rest is still shown.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from mcpsniff.analysis.row import Row
from mcpsniff.analysis.timeline import HELD, Stream
from mcpsniff.capture.parts import Files, PartsReader, read_parts
from mcpsniff.capture.reader import Reader
from mcpsniff.errors import McpsniffError
from mcpsniff.query import parse
from mcpsniff.render.words import count
from mcpsniff.rules.selection import DEFAULT_TIERS
from mcpsniff.wire.visible import visible

from .choice import Choice
from .inputs import captures
from .output import put, say, to_a_reader
from .screen import colours, text, width

if TYPE_CHECKING:
    from mcpsniff.render.lines.line import Lines

UNREADABLE = 3  # exit status
NAMED = 5  # records, or damaged lines, named in one sentence


class Style(StrEnum):
    """How rows are written."""

    lines = "lines"
    exchanges = "exchanges"
    json = "json"
    raw = "raw"


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
        self._write(stream, _WRITERS[self._wishes.style](reader))
        _tell(reader, stream)
        self._sessions += 0 if stream.result is None else len(stream.result.sessions)

    def _write(self, rows: Iterable[Row], written: Writer) -> None:
        for row in rows:
            if (row.folded and not row.findings) or not self._meant(row.field):
                continue
            data = written(row)
            if not data:
                continue
            put(data)
            if self._left is not None:
                self._left -= 1
                if self._left == 0:
                    return


AnyReader = Reader | PartsReader
Writer = Callable[[Row], bytes]


def _lines(reader: AnyReader) -> Writer:
    lines = _layout(reader)
    return lambda row: text(lines.of(row))


def _exchanges(reader: AnyReader) -> Writer:
    from mcpsniff.render.lines.exchange import Exchanges

    lines, below = _layout(reader), Exchanges(colour=colours())
    return lambda row: text(lines.of(row), *below.of(row))


def _layout(reader: AnyReader) -> Lines:
    from mcpsniff.render.lines.line import Lines

    return Lines(width(), colour=colours(), http=reader.header.transport == "http")


def _json(reader: AnyReader) -> Writer:
    from mcpsniff.render.lines.data import as_json

    return as_json


def _raw(reader: AnyReader) -> Writer:
    from mcpsniff.render.lines.data import as_seen, as_sent

    return as_seen if sys.stdout.isatty() else as_sent


_WRITERS: dict[Style, Callable[[AnyReader], Writer]] = {
    Style.lines: _lines,
    Style.exchanges: _exchanges,
    Style.json: _json,
    Style.raw: _raw,
}


def _tell(reader: AnyReader, stream: Stream) -> None:
    """Says on stderr what the lines cannot: what is missing, what came too late."""
    if stream.result is None:
        return
    if stream.result.records <= 1:
        say(f"{reader.name} holds nothing but its header.")
    if reader.damaged_count:
        say(f"{reader.name} has {count(reader.damaged_count, 'damaged line')}: {_some(reader.damaged)}.")
    if late := stream.late:
        where = f"{reader.name}: {count(len(late), 'record')} ({_some(late)})"
        say(
            f"{where} had more found after {HELD:,} further rows, when they had been shown; mcpsniff report has it all."
        )


def _some(numbers: Sequence[int]) -> str:
    return ", ".join(map(str, numbers[:NAMED])) + (", …" if len(numbers) > NAMED else "")
