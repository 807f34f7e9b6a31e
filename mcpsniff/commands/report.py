"""`mcpsniff report FILE…`: captures in, one report out, and an exit status.

0: read and reported; 1: findings at or above `fail_on`; 3: an input could not be read, the rest is still reported.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mcpsniff.analysis import baseline
from mcpsniff.analysis.engine import analyze
from mcpsniff.analysis.report import Part, Report, join, part
from mcpsniff.analysis.result import CaptureResult
from mcpsniff.capture.parts import Files
from mcpsniff.errors import McpsniffError
from mcpsniff.protocol.revisions import MODERN
from mcpsniff.render.formats import Format, guess, render
from mcpsniff.rules.rule import SEVERITIES
from mcpsniff.rules.selection import ALL_TIERS, DEFAULT_TIERS, READINESS, Selection

from . import parallel
from .choice import Choice, patterns, severities
from .garbage import spare
from .inputs import captures
from .output import to_a_reader, write

if TYPE_CHECKING:
    from mcpsniff.render.progress import Progress

    from .filtered import Filtered
    from .pages import Pages

FOUND, UNREADABLE = 1, 3  # exit status

Read = Callable[[Files, Selection, Callable[[int], None]], tuple[str, CaptureResult]]


@dataclass(frozen=True, slots=True)
class Wishes:
    """What the user asked for."""

    format: Format | None = None  # None: as the output's name asks
    output: str | None = None  # path; None is stdout
    pedantic: bool = False
    rules: bool = True
    next_revision: str | None = None  # whose demands are looked for as well
    fail_on: str | None = None  # severity
    select: tuple[str, ...] = ()  # ids, families, globs, several between commas
    ignore: tuple[str, ...] = ()
    severity: tuple[str, ...] = ()  # ID=LEVEL
    baseline: str | None = None  # path
    write_baseline: str | None = None  # path
    filter: str = ""  # of rows: only what is found on them

    @property
    def tiers(self) -> tuple[int, ...]:
        """The tiers of rules that take part."""
        judging = (ALL_TIERS if self.pedantic else DEFAULT_TIERS) if self.rules else ()
        if self.next_revision not in (None, MODERN):
            raise McpsniffError(f"--as {self.next_revision}: only {MODERN} is there to be ready for.")
        return judging if self.next_revision is None else (*judging, READINESS)

    @property
    def choice(self) -> Choice:
        """The rules that take part."""
        if self.select and not patterns(self.select):
            raise McpsniffError("--select names no rule: give ids, families or globs, or leave it away for all rules.")
        return Choice(self.tiers, patterns(self.select), patterns(self.ignore), severities(self.severity))


def run(names: Sequence[str], wishes: Wishes) -> int:
    """Reports on captures (files, folders, globs, or "-") and gives the exit status."""
    if wishes.fail_on is not None and not wishes.tiers:
        raise McpsniffError("--no-rules judges nothing that --fail-on could count: leave one of them away.")
    choice = wishes.choice
    known = baseline.read(wishes.baseline) if wishes.baseline is not None else None
    format_ = wishes.format or guess(wishes.output)
    pages = _pages(wishes.filter) if format_ is Format.html else None
    filtered = _filtered(wishes.filter) if pages is None else None
    inputs = Inputs(chosen(names, choice), _reading(pages or filtered))
    spare()
    report = join(inputs.parts(), wishes.tiers)
    if filtered is not None:
        report = filtered.marked(report)
    if wishes.write_baseline is not None:
        write(baseline.dump(report), wishes.write_baseline)
    if wishes.baseline is not None and known is not None:
        report = baseline.without(report, wishes.baseline, known)
    if pages is not None:
        _put_page(report, pages, wishes.output)
    elif report.captures or format_ is not Format.terminal:
        _put(report, format_, wishes.output)
    return max(UNREADABLE if inputs.refused else 0, FOUND if _fails(report, wishes.fail_on) else 0)


def _reading(special: Pages | Filtered | None) -> Read:
    return analyze if special is None else special.read


def _filtered(expression: str) -> Filtered | None:
    """Gives what reads captures with a filter; None where there is none."""
    if not expression.strip():
        return None

    from .filtered import Filtered

    return Filtered(expression)


def chosen(names: Sequence[str], choice: Choice) -> list[tuple[Files, Selection]]:
    """Gives the captures that names stand for, each with its rules."""
    return [(files, choice.selection(files[0])) for files in captures(names)]


class Inputs:
    """The captures of one call; what cannot be read is refused by name on stderr."""

    def __init__(self, chosen: Sequence[tuple[Files, Selection]], read: Read = analyze) -> None:
        self._chosen = chosen  # files of each, and its rules
        self._read = read
        self.refused = 0

    def parts(self) -> Iterator[Part]:
        """Gives what the report takes of each capture that can be read."""
        from mcpsniff.render.progress import Progress

        sizes = [sum(map(_size, files)) for files, _ in self._chosen]
        side_by_side = self._read is analyze and parallel.helps(self._chosen, sum(sizes))
        read = parallel.SideBySide(self._chosen) if side_by_side else None  # before the bar, as that has a thread
        with Progress(sum(sizes), sys.stderr) as progress:
            for size, one in zip(sizes, read or self._in_turn(progress), strict=True):
                progress.moved(size)
                progress.next()
                if isinstance(one, Part):
                    yield one
                else:
                    self.refused += 1
                    progress.say(str(one))

    def _in_turn(self, progress: Progress) -> Iterator[Part | McpsniffError]:
        for files, selection in self._chosen:
            try:
                yield part(*self._read(files, selection, progress.moved))
            except McpsniffError as error:
                yield error


def _size(path: str) -> int:
    try:
        return os.stat(path).st_size if path != "-" else 0
    except OSError:
        return 0


def _put(report: Report, format_: Format, output: str | None) -> None:
    if format_ is Format.terminal and output is None:
        from mcpsniff.render.terminal import render as show

        with to_a_reader():
            show(report, sys.stdout)
    else:
        write(render(report, format_), output)


def _pages(expression: str) -> Pages:
    from .pages import Pages

    return Pages(expression)


def _put_page(report: Report, pages: Pages, output: str | None) -> None:
    from mcpsniff.render.html import render as page

    write(page(report, pages.rows, pages.filter), output)


def _fails(report: Report, fail_on: str | None) -> bool:
    if fail_on is None:
        return False
    loud = SEVERITIES[SEVERITIES.index(fail_on) :]
    return any(report.summary["findings"][severity] for severity in loud)
