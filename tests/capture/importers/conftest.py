"""Exchanges of the past made in memory, and the records that they become."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from mcpsniff.capture.heads import RequestHead, ResponseHead
from mcpsniff.capture.http import HttpRecorder
from mcpsniff.capture.importers.order import place
from mcpsniff.capture.importers.past import Past
from mcpsniff.capture.importers.replay import replay
from mcpsniff.capture.writer import CaptureWriter
from mcpsniff.wire.redact import Redactor

EPOCH = 1_000_000.0  # seconds, of the tests' time 0
URL = "http://localhost:8000/mcp"
HEADERS = [("Mcp-Session-Id", "s")]
Record = dict[str, Any]


def text(**members: Any) -> bytes:
    """A JSON-RPC message."""
    return json.dumps({"jsonrpc": "2.0", **members}).encode()


def past(asked: float, ended: float, body: bytes | None = b"", **fields: Any) -> Past:
    """An exchange; times count from the tests' time 0."""
    head = RequestHead(fields.pop("method", "POST"), fields.pop("url", URL), "1.1", fields.pop("headers", HEADERS), 9)
    fields.setdefault("conn", "a")
    whole = Past(client=None, request=head, asked=EPOCH + asked, sent=EPOCH + asked, ended=EPOCH + ended, **fields)
    whole.body, whole.answered = body, whole.asked
    return whole


def answered(asked: float, ended: float, body: bytes, *pieces: tuple[float, bytes], media: str, **fields: Any) -> Past:
    """One that was answered at once; an event stream without the times of pieces is an untimed one."""
    one = past(asked, ended, body, **fields)
    one.response = ResponseHead(200, "1.1", [("Content-Type", media)], 9)
    one.pieces = [(EPOCH + at, data) for at, data in pieces]
    return one


def untimed(asked: float, ended: float, body: bytes, *events: bytes, **fields: Any) -> Past:
    """One that was answered by events, of which it is not known when they came."""
    blocks = b"".join(b"data: " + event + b"\n\n" for event in events)
    return answered(asked, ended, body, (ended, blocks), media="text/event-stream", untimed=True, **fields)


@pytest.fixture
def make() -> dict[str, Callable[..., Any]]:
    """What makes exchanges: `past`, `answered`, `untimed`, and `text` for their bodies."""
    return {"past": past, "answered": answered, "untimed": untimed, "text": text}


@pytest.fixture
def played(tmp_path: Path) -> Callable[..., list[Record]]:
    """Imports exchanges of one or more files, and gives all records but the header."""

    def play(*archives: Sequence[Past], start: float = EPOCH) -> list[Record]:
        writer = CaptureWriter(str(tmp_path / "played.jsonl"), {"transport": "http"})
        place([one for archive in archives for one in archive])
        replay(archives, HttpRecorder(writer, Redactor(b"salt")), start)
        return [json.loads(line) for line in Path(writer.path).read_bytes().splitlines()[1:]]

    return play
