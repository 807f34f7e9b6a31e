"""The captures of samples/ as lines that a property may change, and what is found on them."""

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple

import pytest

SAMPLES = Path(__file__).parents[2] / "samples"
PAYLOAD = b'"message":'


@dataclass
class Line:
    """A record: its fields, and the exact text of an embedded message apart."""

    fields: dict[str, Any]
    text: str | None = None

    def encoded(self) -> bytes:
        """The line as it stands in a capture."""
        if self.text is None:
            return json.dumps(self.fields).encode() + b"\n"
        return json.dumps(self.fields)[:-1].encode() + b"," + PAYLOAD + self.text.encode() + b"}\n"


class Found(NamedTuple):
    """What a property compares of a finding."""

    rule: str
    severity: str
    violator: str
    count: int
    seq: tuple[int, ...]


@pytest.fixture(scope="session")
def captures() -> list[Path]:
    """Gives every capture of samples/."""
    return sorted(SAMPLES.rglob("*.jsonl"))


@pytest.fixture(scope="session")
def lines_of() -> Callable[[Path], list[Line]]:
    """Reads a capture as lines."""
    return lambda path: [_line(line) for line in path.read_bytes().split(b"\n") if line]


def _line(line: bytes) -> Line:
    fields, key, text = line.partition(PAYLOAD)
    if not key or not line.startswith(b'{"type":"message"'):
        return Line(json.loads(line))
    return Line(json.loads(fields.rstrip(b",") + b"}"), text[:-1].decode())


@pytest.fixture(scope="session")
def judged() -> Callable[[bytes], list[Found]]:
    """Gives what all rules find on the bytes of a capture; none of them may break."""
    from mcpsniff.analysis.engine import analyze
    from mcpsniff.rules.selection import EVERYTHING

    def judge(data: bytes) -> list[Found]:
        _, result = analyze(BytesIO(data), EVERYTHING)
        assert not result.crashed, result.crashed
        found = (one for session in result.sessions for one in session.findings)
        return sorted(Found(one.rule, one.severity, one.violator, one.count, one.seq) for one in found)

    return judge


@pytest.fixture(scope="session")
def found_on(judged: Callable[[bytes], list[Found]]) -> Callable[[Path], list[Found]]:
    """Gives what is found on a capture as it is; looked at once."""
    return cache(lambda path: judged(path.read_bytes()))


@pytest.fixture(scope="session")
def unequal(
    captures: list[Path],
    lines_of: Callable[[Path], list[Line]],
    judged: Callable[[bytes], list[Found]],
    found_on: Callable[[Path], list[Found]],
) -> Callable[[Callable[[list[Line]], list[Line]]], list[str]]:
    """Changes the lines of every capture, and tells what is not found any more on which, or only now."""

    def compare(change: Callable[[list[Line]], list[Line]]) -> list[str]:
        out = []
        for path in captures:
            lines = lines_of(path)
            if (others := change(lines)) == lines:
                continue
            before = Counter(found_on(path))
            after = Counter(judged(b"".join(line.encoded() for line in others)))
            name = f"{path.parent.name}/{path.stem}"
            out += [f"{name}: lost {one}" for one in before - after]
            out += [f"{name}: new {one}" for one in after - before]
        return out

    return compare
