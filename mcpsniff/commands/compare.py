"""`mcpsniff compare A B…`: captures, or sessions of captures (FILE#s2), side by side.

One capture alone is compared session by session. Every capture is read once.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, NamedTuple

from mcpsniff import __version__
from mcpsniff.capture.parts import Files
from mcpsniff.errors import McpsniffError
from mcpsniff.render.words import count
from mcpsniff.rules.selection import DEFAULT_TIERS

from .choice import Choice
from .inputs import captures
from .output import to_a_reader, write

if TYPE_CHECKING:
    from mcpsniff.frames.comparison import Comparison
    from mcpsniff.frames.reading import Frames

SESSION = re.compile(r"(.+)#s([1-9][0-9]*)")


class Side(NamedTuple):
    """What is to be seen beside others."""

    name: str
    capture: Files
    session: int | None = None  # from 1, within its capture; None: all of them


def run(names: Sequence[str], as_json: bool) -> int:
    """Shows how captures differ; raises McpsniffError where one cannot be read, or there is nothing to compare."""
    from mcpsniff.frames.comparison import compare
    from mcpsniff.frames.reading import read_each

    wanted = [side for name in names for side in _sides(name)]
    files = list(dict.fromkeys(side.capture for side in wanted))
    choice = Choice(DEFAULT_TIERS)
    found = read_each((capture, choice.selection(capture[0])) for capture in files)
    sides = _labels(wanted, _sessions(files, found))
    if len(sides) < 2:
        raise McpsniffError(f"{names[0]} is one session: name another capture, or a session as in FILE#s1.")
    _put(compare(found, sides), as_json)
    return 0


def _sides(name: str) -> list[Side]:
    """Gives the captures that a name stands for, or the session that it ends with."""
    session = None if os.path.exists(name) else SESSION.fullmatch(name)
    if session is not None:
        return [Side(name, capture, int(session[2])) for capture in captures([session[1]])]
    found = captures([name])
    return [Side(name if len(found) == 1 else files[0], files) for files in found]


def _sessions(files: Sequence[Files], found: Frames) -> Mapping[Files, list[str]]:
    """Gives the labels of the sessions of each capture."""
    ids = [capture["id"] for capture in found.report.captures]
    return {
        capture: [session["id"] for session in found.report.sessions if session["capture"] == id_]
        for capture, id_ in zip(files, ids, strict=True)
    }


def _labels(wanted: Sequence[Side], sessions: Mapping[Files, list[str]]) -> dict[str, list[str]]:
    """Gives the sessions of each side by its name; those of one capture alone singly."""
    if len(wanted) == 1 and wanted[0].session is None:
        name, labels = wanted[0].name, sessions[wanted[0].capture]
        return {f"{name}#s{number}": [label] for number, label in enumerate(labels, 1)}
    return dict(_labelled(wanted, sessions))


def _labelled(wanted: Sequence[Side], sessions: Mapping[Files, list[str]]) -> Iterator[tuple[str, list[str]]]:
    for side in wanted:
        labels = sessions[side.capture]
        if side.session is not None and side.session > len(labels):
            raise McpsniffError(
                f"{side.name}: that capture has {count(len(labels), 'session')}; mcpsniff report lists them."
            )
        yield side.name, labels if side.session is None else [labels[side.session - 1]]


def _put(comparison: Comparison, as_json: bool) -> None:
    if as_json:
        from mcpsniff.render.json import encode

        head = {"format": "mcpsniff-comparison", "version": 1, "tool": f"mcpsniff {__version__}"}
        write(encode({**head, **asdict(comparison)}), None)
        return
    from mcpsniff.render.terminal.sides import render

    with to_a_reader():
        render(comparison, sys.stdout)
