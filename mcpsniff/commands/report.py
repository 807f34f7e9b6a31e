"""`mcpsniff report FILE…`: captures in, one report out, and an exit status.

0: read and reported; 1: findings at or above `fail_on`; 3: an input could not be read, the rest is still reported.
"""

from __future__ import annotations

import glob
import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from mcpsniff.analysis.engine import ALL_TIERS, DEFAULT_TIERS, CaptureResult, analyze
from mcpsniff.analysis.report import Report, build
from mcpsniff.errors import McpsniffError
from mcpsniff.rules.rule import SEVERITIES

from .output import to_a_reader, write

FOUND, UNREADABLE = 1, 3  # exit status


@dataclass(frozen=True, slots=True)
class Wishes:
    """What the user asked for."""

    format: str = "terminal"  # or "json"
    output: str | None = None  # path; None is stdout
    pedantic: bool = False
    rules: bool = True
    fail_on: str | None = None  # severity

    @property
    def tiers(self) -> tuple[int, ...]:
        """The tiers of rules that take part."""
        if not self.rules:
            return ()
        return ALL_TIERS if self.pedantic else DEFAULT_TIERS


def run(patterns: Sequence[str], wishes: Wishes) -> int:
    """Reports on captures (paths, globs, or "-") and gives the exit status."""
    inputs = Inputs([path for pattern in patterns for path in _paths(pattern)], wishes.tiers)
    report = build(inputs.results(), wishes.tiers)
    if report.captures or wishes.format == "json":
        _put(report, wishes)
    return max(UNREADABLE if inputs.refused else 0, FOUND if _fails(report, wishes.fail_on) else 0)


class Inputs:
    """The captures of one call; what cannot be read is refused by name on stderr."""

    def __init__(self, paths: Sequence[str], tiers: tuple[int, ...]) -> None:
        self._paths = paths
        self._tiers = tiers
        self.refused = 0

    def results(self) -> Iterator[tuple[str, CaptureResult]]:
        """Gives name and result of each capture that can be read."""
        from mcpsniff.render.progress import Progress

        with Progress(sum(map(_size, self._paths)), sys.stderr) as progress:
            for path in self._paths:
                try:
                    yield analyze(path, self._tiers, progress.moved)
                except McpsniffError as error:
                    self.refused += 1
                    progress.say(str(error))
                progress.next()


def _paths(pattern: str) -> list[str]:
    """Gives the files that a glob names; a pattern that names none stands for itself."""
    if pattern == "-" or os.path.exists(pattern) or not glob.has_magic(pattern):
        return [pattern]
    return sorted(glob.glob(pattern, recursive=True)) or [pattern]


def _size(path: str) -> int:
    try:
        return os.stat(path).st_size if path != "-" else 0
    except OSError:
        return 0


def _put(report: Report, wishes: Wishes) -> None:
    if wishes.format == "json":
        from mcpsniff.render.json import render

        write(render(report), wishes.output)
    elif wishes.output is None:
        from mcpsniff.render.terminal import render as show

        with to_a_reader():
            show(report, sys.stdout)
    else:
        from mcpsniff.render.terminal import text

        write(text(report).encode(), wishes.output)


def _fails(report: Report, fail_on: str | None) -> bool:
    if fail_on is None:
        return False
    loud = SEVERITIES[SEVERITIES.index(fail_on) :]
    return any(report.summary["findings"][severity] for severity in loud)
