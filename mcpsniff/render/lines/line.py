"""One row in one line: when, who, what, how large, how long it took, what is wrong with it."""

from __future__ import annotations

from collections.abc import Sequence

from mcpsniff.analysis.pins import Pin
from mcpsniff.analysis.row import SPEAKING, Row
from mcpsniff.render.words import MARK, duration
from mcpsniff.wire.visible import visible

from .paint import KIND, QUIET, SEVERITY, columns, fitted, painted

ARROWS = {"client": "→", "server": "←", "": " "}
WHAT = 48  # columns of method, name and detail where lines need not fit into a terminal
LEAST = 16  # columns of the same where they must
LONGEST = 400  # characters of it in any case
NARROWEST, ROOMY = 64, 90  # columns: a narrower terminal folds lines itself; from here on there is room for all
KIND_WIDTH, ID_WIDTH, LONG_ID = 13, 6, 12
NO_SIZE, NO_LATENCY = " " * 9, " " * 8

Part = tuple[str, str]  # text and style


class Lines:
    """Lays out the rows of one capture: in `width` columns, None for as long as they are."""

    def __init__(self, width: int | None, *, colour: bool, http: bool) -> None:
        self._width = None if width is None else max(width, NARROWEST)
        self._colour = colour
        self._plain = width is None and not colour
        self._http = http  # a capture of HTTP has sessions and statuses
        self._roomy = width is None or width >= ROOMY
        self.at: float | None = None  # seconds, of the row before; the gap is that to it

    def of(self, row: Row) -> str:
        """Gives the line of a row."""
        kind, pins = row.kind, row.findings
        when, what, cost = self._when(row), _what(row, kind), self._cost(row)
        arrow = f"{ARROWS[row.sender]} {kind:<{KIND_WIDTH}}"
        if self._plain and not pins:
            said = f"{row.id or '':<{ID_WIDTH}} {what:<{WHAT}}"
            if said.isascii() and said.isprintable() and len(said) <= LONGEST:  # nearly every line: nothing to see to
                return f"{when} {arrow} {said} {cost}".rstrip()
        what = visible(what)
        left: list[Part] = [(when, QUIET), (arrow, KIND.get(kind, QUIET)), (self._id(row), "")]
        right: list[Part] = [(cost, QUIET), *_found(pins)]
        if self._width is None:
            what = fitted(what, max(WHAT, columns(what)))
        else:
            room = self._width - _taken(left) - LEAST
            right = _cut(right, room)
            what = fitted(what, room + LEAST - _taken(right) - 1)
        return " ".join(painted(*part, self._colour) for part in (*left, (what, ""), *right)).rstrip()

    def found(self, pin: Pin, *, withdrawn: bool = False) -> str:
        """Gives the line of a finding that came after that of its row, or of one that is none after all."""
        said = "withdrawn: what came later shows that it is none" if withdrawn else visible(pin.message)
        style = QUIET if withdrawn else SEVERITY[pin.severity]
        start = f"{pin.seq:>5} {MARK[pin.severity]} {pin.rule}"
        room = LONGEST if self._width is None else max(LEAST, self._width - len(start) - 2)
        return f"{painted(start, style, self._colour)}  {fitted(said, room).rstrip()}"

    def _when(self, row: Row) -> str:
        t, before = row.t, self.at
        gap = "" if before is None else f"+{duration((t - before) * 1000)}"
        self.at = t
        session = f" {row.session.key if row.session is not None else '':<3}" if self._http else ""
        place = row.address if row.part else row.seq
        return f"{place:>5} {t:9.3f}{f' {gap:>9}' if self._roomy else ''}{session}"

    def _id(self, row: Row) -> str:
        text = visible(row.id or "")
        longest = LONGEST if self._width is None else LONG_ID if self._roomy else ID_WIDTH
        return fitted(text, min(max(columns(text), ID_WIDTH), longest))

    def _cost(self, row: Row) -> str:
        status = f"{'' if row.status is None else row.status:>3} " if self._http else ""
        size, seconds = row.size, row.latency
        bytes_ = NO_SIZE if size is None else f"{size:9,}"
        return f"{status}{bytes_} {NO_LATENCY if seconds is None else f'{duration(seconds * 1000):>8}'}"


def _what(row: Row, kind: str) -> str:
    parts = (row.method, row.name, row.note if kind in SPEAKING else row.detail, "(again)" if row.replayed else "")
    return " ".join([part[:LONGEST] for part in parts if part])


def _found(pins: Sequence[Pin]) -> list[Part]:
    return [(f"{MARK[pin.severity]} {pin.rule}", SEVERITY[pin.severity]) for pin in pins]


def _taken(parts: Sequence[Part]) -> int:
    """Gives the columns that parts take, each with a blank before or behind it."""
    return sum(columns(text) + 1 for text, _ in parts)


def _cut(parts: list[Part], room: int) -> list[Part]:
    """Gives what fits of cost and findings: the cost makes way for the first finding, which is cut at the worst."""
    cost, *found = parts
    shown = [cost] if _taken([cost, *found[:1], *_more(found[1:])]) <= room else []
    for number, part in enumerate(found):
        more = _more(found[number + 1 :])
        if _taken([*shown, part, *more]) <= room:
            shown.append(part)
        elif number == 0:
            return [(fitted(part[0], max(2, room - _taken(more) - 1)), part[1]), *more]
        else:
            return [*shown, *_more(found[number:])]
    return shown


def _more(found: list[Part]) -> list[Part]:
    """Gives the count of findings for which there is no room."""
    return [(f"+{len(found)}", QUIET)] if found else []
