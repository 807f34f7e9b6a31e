"""The few shapes and colours that all parts of the terminal report share."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from rich.padding import Padding
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

Part = str | tuple[str, str]  # text, or text and style

QUIET = "dim"
STRONG = "bold"
COLOUR = {"error": "bold red", "warning": "bold yellow", "info": "cyan"}
INDENT = 2  # columns
NAME_WIDTH = 36  # columns that a name in a table may take


def line(*parts: Part) -> Text:
    """Gives one line of text; never markup."""
    return Text.assemble(*parts)


def heading(*parts: Part) -> Padding:
    """Gives the line that begins a part of the report."""
    return Padding(Rule(line(*parts), align="left", style=QUIET, characters="─"), (1, 0, 0, 0))


def indented(what: Text | Table, by: int = INDENT) -> Padding:
    """Moves something to the right."""
    return Padding(what, (0, 0, 0, by))


def facts(rows: Iterable[tuple[str, Text]]) -> Padding:
    """Gives lines of a name and what there is to say."""
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(style=QUIET, no_wrap=True)
    grid.add_column(overflow="fold")
    for name, what in rows:
        grid.add_row(name, what)
    return indented(grid)


def columns(
    titles: Sequence[str], rows: Iterable[Sequence[str | Text]], left: Collection[int], name_width: int = NAME_WIDTH
) -> Padding:
    """Gives a table without lines: numbers flush right, the columns in `left` not; the last one may be folded."""
    table = Table(box=None, padding=(0, 2, 0, 0), header_style=QUIET, show_edge=False, pad_edge=False)
    for number, title in enumerate(titles):
        last = number == len(titles) - 1
        table.add_column(
            title,
            justify="left" if number in left else "right",
            no_wrap=not (last and number in left),
            overflow="fold" if last else "ellipsis",
            max_width=None if last else name_width,
        )
    for row in rows:
        table.add_row(*row)
    return indented(table)
