"""What the screen says of one row: its findings in full, then its HTTP head and its body."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from rich.text import Text

from mcpsniff.analysis.row import Row
from mcpsniff.render.lines.exchange import INDENT, Exchanges
from mcpsniff.render.words import MARK, count
from mcpsniff.wire.visible import excerpt, visible

from .board import Entry

LINES = 1_000  # shown of one row
LARGE = 1 << 20  # bytes of a body that is shown as it is, and in part: to indent it would keep the user waiting
BEGINNING = 20_000  # bytes of it that are shown
COLOURS = {"error": "bold red", "warning": "bold yellow", "info": "cyan"}


def detail(entry: Entry) -> Text:
    """Gives the text; never markup, and nothing captured as it is."""
    text = Text()
    for pin in entry.row.findings:
        text.append(f"{MARK[pin.severity]} {pin.rule}", COLOURS[pin.severity])
        text.append(f"  {pin.title}\n", "bold")
        where = f"  at {visible(pin.where)}" if pin.where else ""
        text.append(f"  {visible(pin.message)}{where}\n  by the {pin.violator}\n\n")
    lines = list(islice(_lines(entry.row), LINES + 1))
    text.append("".join(f"{line}\n" for line in lines[:LINES]))
    if len(lines) > LINES:
        text.append("…\n", "dim")
    return text


def _lines(row: Row) -> Iterator[str]:
    if len(row.data) > LARGE:
        yield f"{count(len(row.data), 'byte')}, of which the first:"
        yield excerpt(row.data, BEGINNING)
    else:
        yield from (line.removeprefix(INDENT) for line in Exchanges(colour=False).of(row))
