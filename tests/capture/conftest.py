"""Captures in the making, in an empty folder, and what stands in their files."""

import json

import pytest

from mcpsniff.capture.heads import RequestHead, ResponseHead
from mcpsniff.capture.http import HttpRecorder
from mcpsniff.capture.source import Source
from mcpsniff.capture.writer import CaptureWriter
from mcpsniff.relay import Keeping
from mcpsniff.wire.redact import Redactor

HEADER = {"id": "1", "transport": "stdio"}
URL = "http://127.0.0.1:8000/mcp"
CALL = b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo"}}'


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


class Capture:
    """A recorder that writes to a file, and the records that are in it."""

    def __init__(self, path, redact=True):
        self._path = path
        self.recorder = HttpRecorder(CaptureWriter(str(path), {"id": "t"}), Redactor(b"salt", redact))

    def records(self):
        """All but the header, without their `seq`."""
        lines = self._path.read_bytes().splitlines()[1:]
        return [{k: v for k, v in json.loads(line).items() if k != "seq"} for line in lines]

    def types(self):
        """The types of these records."""
        return [record["type"] for record in self.records()]

    def asked(self, body=CALL, url=URL, method="POST", **headers):
        """Gives an exchange whose request was read whole."""
        exchange = self.recorder.exchange("c1", "127.0.0.1")
        exchange.request(1.0, RequestHead(method, url, "1.1", _pairs(headers), 100))
        exchange.request_body(1.5, body)
        return exchange

    def answered(self, *pieces, status=200, asked=None, **headers):
        """Gives an exchange that was answered, and is over."""
        exchange = asked or self.asked()
        exchange.response(2.0, ResponseHead(status, "1.1", _pairs(headers), 50))
        for i, piece in enumerate(pieces):
            exchange.piece(3.0 + i, piece)
        exchange.end(9.0, "server", "complete")
        return exchange


def _pairs(headers):
    return [(name.replace("_", "-"), value) for name, value in headers.items()]


@pytest.fixture
def capture_at():
    """Gives the maker of recorders: `capture_at(path, redact=True)`."""
    return Capture


@pytest.fixture
def capture(tmp_path):
    """Gives a recorder in an empty folder."""
    return Capture(tmp_path / "c.jsonl")
