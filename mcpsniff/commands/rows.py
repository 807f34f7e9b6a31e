"""How rows are written to stdout: as lines, with heads and bodies below them, as JSON, as bytes."""

from __future__ import annotations

import sys
from collections.abc import Callable
from enum import StrEnum
from typing import TYPE_CHECKING

from mcpsniff.analysis.row import Row

from .screen import colours, text, width

if TYPE_CHECKING:
    from mcpsniff.render.lines.line import Lines

Writer = Callable[[Row], bytes]


class Style(StrEnum):
    """The ways to write a row."""

    lines = "lines"
    exchanges = "exchanges"
    json = "json"
    raw = "raw"


def writer(style: Style, *, http: bool) -> Writer:
    """Gives what writes the rows of one capture, of HTTP or not."""
    return _WRITERS[style](http)


def layout(http: bool) -> Lines:
    """Gives what lays out the lines of one capture for stdout."""
    from mcpsniff.render.lines.line import Lines

    return Lines(width(), colour=colours(), http=http)


def _lines(http: bool) -> Writer:
    line = layout(http).of
    return lambda row: text(line(row))


def _exchanges(http: bool) -> Writer:
    from mcpsniff.render.lines.exchange import Exchanges

    lines, below = layout(http), Exchanges(colour=colours())
    return lambda row: text(lines.of(row), *below.of(row))


def _json(http: bool) -> Writer:
    from mcpsniff.render.lines.data import as_json

    return as_json


def _raw(http: bool) -> Writer:
    from mcpsniff.render.lines.data import as_seen, as_sent

    return as_seen if sys.stdout.isatty() else as_sent


_WRITERS: dict[Style, Callable[[bool], Writer]] = {
    Style.lines: _lines,
    Style.exchanges: _exchanges,
    Style.json: _json,
    Style.raw: _raw,
}
