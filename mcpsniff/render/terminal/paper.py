"""Puts parts on a terminal, or as plain text elsewhere: laid out for a width, colours only where a terminal shows them.

Everything captured is hostile text: `made_visible` is for all plain data before anything is laid out; rich's markup is
never used.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from io import StringIO
from typing import Any, TextIO

from rich.console import Console, RenderableType

from mcpsniff.wire.visible import visible

NARROWEST = 40  # columns: what is narrower, or says that it has none, folds the lines itself

Parts = Callable[[int], Iterable[RenderableType]]  # what to show in so many columns


def put(parts: Parts, out: TextIO, width: int | None = None) -> None:
    """Writes the parts; `width` is in columns, by default the terminal's."""
    console = _console(out, width)
    if not console.is_terminal:
        out.write(_plain(parts, console.width))
        return
    for part in parts(console.width):
        console.print(part)


def _console(out: TextIO, width: int | None = None) -> Console:
    console = Console(file=out, width=width, highlight=False, markup=False, emoji=False)
    console.width = max(console.width, NARROWEST)
    return console


def _plain(parts: Parts, width: int) -> str:
    """Gives the parts without colours, and without the blanks that fill lines up."""
    console = _console(StringIO(), width)
    with console.capture() as captured:
        for part in parts(width):
            console.print(part)
    return "".join(f"{line.rstrip()}\n" for line in captured.get().splitlines())


def made_visible(value: Any) -> Any:
    """Gives plain data with all its strings made visible."""
    if isinstance(value, str):
        return visible(value)
    if isinstance(value, dict):
        return {made_visible(key): made_visible(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [made_visible(item) for item in value]
    return value
