"""Captures in the making, in an empty folder, and what stands in their files."""

import json

import pytest

from mcpsniff.capture.source import Source
from mcpsniff.capture.writer import CaptureWriter
from mcpsniff.relay import Keeping

HEADER = {"id": "1", "transport": "stdio"}


@pytest.fixture
def start(tmp_path):
    """Opens captures in an empty folder: `start(**words)`."""
    writers = []

    def make(path=str(tmp_path / "c.jsonl"), patient=False, **words):
        writers.append(CaptureWriter(path, HEADER, storage=Keeping(**words), pid=7, patient=patient))
        return writers[-1]

    yield make
    for writer in writers:
        writer.close()


@pytest.fixture
def parts(tmp_path):
    """Gives the records of each file in the folder, by the files' names in their order."""

    def read():
        found = {}
        for path in sorted(tmp_path.rglob("*.jsonl*")):
            source = Source(str(path))
            found[path.name] = [json.loads(line) for line in source.lines]
            source.close()
        return found

    return read


@pytest.fixture
def say():
    """Adds a record of about `size` bytes: `say(writer, t, size)`."""

    def add(writer, t, size):
        writer.add_body(t, {"from": "server"}, b"x" * (size - 60), size=size)

    return add
