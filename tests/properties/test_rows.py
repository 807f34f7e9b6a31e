"""Rows of whole and torn captures: every field can be asked for, and whatever was captured is safe to look at."""

import json
import random
import zlib
from io import BytesIO
from pathlib import Path

import pytest

from mcpsniff.analysis.stream import Stream
from mcpsniff.capture.parts import read_parts
from mcpsniff.query import FIELDS
from mcpsniff.render.lines.data import as_json, as_seen, as_sent
from mcpsniff.render.lines.exchange import Exchanges
from mcpsniff.render.lines.line import Lines
from mcpsniff.render.lines.paint import columns
from mcpsniff.rules.selection import EVERYTHING

STRIDE = 12  # of the captures, so many share a run


def _torn(data: bytes, name: str) -> bytes:
    """The capture with some lines left out and some cut."""
    chance = random.Random(zlib.crc32(name.encode()))
    header, *lines = data.splitlines(keepends=True)
    kept = [line for line in lines if chance.random() > 0.2]
    return header + b"".join(line[: chance.randint(0, len(line))] if chance.random() < 0.1 else line for line in kept)


@pytest.mark.parametrize("torn", [False, True])
def test_every_row_can_be_asked_and_shown(torn: bool, captures: list[Path]) -> None:
    """Lines fit 80 columns and hold nothing that drives a terminal, nor do bodies; JSON is JSON, one object a line."""
    for path in captures[torn::STRIDE]:
        data = path.read_bytes()
        lines, whole = (Lines(width, colour=False, http=True) for width in (80, None))
        below = Exchanges(colour=False)
        for row in Stream(read_parts(BytesIO(_torn(data, path.name) if torn else data)), EVERYTHING):
            for name in (*FIELDS, "text"):
                row.field(name)
            line = lines.of(row)
            assert columns(line) <= 80, (path, line)
            assert all(text.isprintable() for text in (line, whole.of(row), *below.of(row))), path
            assert json.loads(as_json(row))["seq"] == row.seq
            assert as_json(row).count(b"\n") == 1
            assert as_seen(row).decode().rstrip("\n").isprintable()
            assert as_sent(row).startswith(b"" if row.part else row.data)
