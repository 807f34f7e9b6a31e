"""What the screen says of one row: its findings in full, then its HTTP head and its body."""

from __future__ import annotations

from itertools import islice

from rich.text import Text

from mcpsniff.render.lines.exchange import Exchanges
from mcpsniff.render.words import MARK
from mcpsniff.wire.visible import visible

from .board import Entry

LINES = 1_000  # shown of one message
COLOURS = {"error": "bold red", "warning": "bold yellow", "info": "cyan"}


def detail(entry: Entry) -> Text:
    """Gives the text; never markup, and nothing captured as it is."""
    row = entry.row
    text = Text()
    for pin in row.findings:
        text.append(f"{MARK[pin.severity]} {pin.rule}", COLOURS[pin.severity])
        text.append(f"  {pin.title}\n", "bold")
        where = f"  at {visible(pin.where)}" if pin.where else ""
        text.append(f"  {visible(pin.message)}{where}\n  by the {pin.violator}\n\n")
    lines = [line.strip("\n") for line in islice(Exchanges(colour=False).of(row), LINES + 1)]
    for line in lines[:LINES]:
        text.append(line.removeprefix("      ") + "\n")
    if len(lines) > LINES:
        text.append("…\n", "dim")
    return text
