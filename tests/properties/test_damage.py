"""Captures with lines deleted, doubled, swapped or cut: nothing breaks, and findings point at records that exist."""

import random
import zlib
from io import BytesIO
from pathlib import Path

import pytest

from mcpsniff.analysis.engine import analyze
from mcpsniff.analysis.report import build
from mcpsniff.capture.reader import read
from mcpsniff.rules.selection import EVERYTHING

Lines = list[bytes]  # of a capture, without its header


def _delete(lines: Lines, chance: random.Random) -> Lines:
    return [line for line in lines if chance.random() > 0.2]


def _double(lines: Lines, chance: random.Random) -> Lines:
    return [line for line in lines for _ in range(2 if chance.random() < 0.2 else 1)]


def _swap(lines: Lines, chance: random.Random) -> Lines:
    order = sorted(range(len(lines)), key=lambda at: at + chance.choice((0, 0, 0, -1.5, 1.5, 5)))
    return [lines[at] for at in order]


def _cut(lines: Lines, chance: random.Random) -> Lines:
    text = b"".join(lines)
    return [text[: chance.randint(0, len(text))]]


def _tear(lines: Lines, chance: random.Random) -> Lines:
    """Cuts lines in the middle of the file."""
    return [line[: chance.randint(0, len(line))] + b"\n" if chance.random() < 0.2 else line for line in lines]


DAMAGES = {"deleted": _delete, "doubled": _double, "swapped": _swap, "cut": _cut, "torn": _tear}


@pytest.mark.parametrize("kind", DAMAGES)
def test_damage_breaks_nothing(kind: str, captures: list[Path]) -> None:
    """No rule breaks, and every record that a finding names is in the damaged capture; each kind has its own share."""
    damage = DAMAGES[kind]
    for path in captures[list(DAMAGES).index(kind) :: len(DAMAGES)]:
        header, *lines = (line + b"\n" for line in path.read_bytes().split(b"\n")[:-1])
        chance = random.Random(zlib.crc32(f"{path.parent.name}/{path.name}".encode()))
        data = header + b"".join(damage(lines, chance))
        there = {record.seq for record in read(BytesIO(data))}
        name, result = analyze(BytesIO(data), EVERYTHING)
        assert not result.crashed, (path, result.crashed)
        report = build([(name, result)])
        for session in report.sessions:
            for finding in session["findings"]:
                assert there.issuperset(finding["seq"]), (path, finding)
