"""What foreign bytes are thrown at: each target takes any bytes, and raises where a promise is broken.

Played with the corpus by test_targets.py, and for as long as one likes by fuzz.py.
"""

from __future__ import annotations

import json
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any
from zlib import crc32

from mcpsniff import query
from mcpsniff.analysis.engine import analyze
from mcpsniff.analysis.report import build
from mcpsniff.analysis.result import CaptureResult
from mcpsniff.capture.http import HttpRecorder
from mcpsniff.capture.http1 import Http1Connection
from mcpsniff.capture.reader import read
from mcpsniff.capture.writer import CaptureWriter
from mcpsniff.commands import importing
from mcpsniff.errors import McpsniffError
from mcpsniff.render.formats import Format, render
from mcpsniff.rules.selection import EVERYTHING
from mcpsniff.wire.jsontext import is_json, is_json_exactly
from mcpsniff.wire.lines import LineFramer
from mcpsniff.wire.redact import Redactor
from mcpsniff.wire.sse import SseFramer

ROOT = Path(__file__).parents[2]
SMALL = 4_000  # bytes of a seed
HEADERS = {
    sort: b'{"type":"capture","seq":0,"t":0,"format":"mcpsniff","version":1,"transport":"%s"}\n' % sort.encode()
    for sort in ("stdio", "http")
}
FORMATS = tuple(Format)
CONTROLS = frozenset(range(32)) - {9, 10} | {127}  # what a terminal obeys
TURN = b"\0"  # in the seeds of a connection: the other side speaks


def pieces(data: bytes) -> list[bytes]:
    """Cuts the rest of the bytes as the first of them says."""
    step = max(1, data[0]) if data else 1
    return [data[start : start + step] for start in range(1, len(data), step)]


def framing(data: bytes) -> None:
    """Lines joined are the stream, however it was cut."""
    framer = LineFramer()
    lines = [line for piece in pieces(data) for line in framer.feed(piece, 0.0)]
    last = framer.flush()
    whole = b"".join(line.payload + line.eol for line in [*lines, *([last] if last else [])])
    assert whole == data[1:]


def verdict(data: bytes) -> None:
    """The fast way and the exact one agree on what is JSON."""
    assert is_json(data) == is_json_exactly(data)


def events(data: bytes) -> None:
    """The same bytes give the same blocks however they were cut, and each is counted once."""
    cut, whole = _events(pieces(data)), _events([data[1:]])
    assert cut == whole
    assert sum(size for size, *_ in whole) == len(data[1:])


def _events(chunks: list[bytes]) -> list[tuple[object, ...]]:
    framer = SseFramer()
    blocks = [block for chunk in chunks for block in framer.feed(chunk, 0.0)]
    last = framer.flush()
    blocks += [last] if last is not None else []
    return [(one.size, one.data, one.event, one.id, one.retry, one.comment, one.fields) for one in blocks]


def reader(data: bytes) -> None:
    """Any lines behind a header are read, or counted as damaged."""
    capture = read(BytesIO(HEADERS["stdio"] + data))
    records = sum(1 for _ in capture) - 1
    lines = [line for line in data.split(b"\n") if line]
    assert records + capture.damaged_count + capture.cut >= len(lines)


def rules(data: bytes) -> None:
    """No rule breaks, over stdio or HTTP."""
    for transport in HEADERS:
        _judged(transport, data)


def report(data: bytes) -> None:
    """Each format can be written: the first byte says which. Nothing that a terminal obeys is in the one for it."""
    choice = data[0] if data else 0
    format_, transport = FORMATS[choice % len(FORMATS)], ("stdio", "http")[choice & 0x80 > 0]
    written = render(build([_judged(transport, data[1:])]), format_)
    assert format_ is not Format.terminal or CONTROLS.isdisjoint(written)


def _judged(transport: str, data: bytes) -> tuple[str, CaptureResult]:
    name, result = analyze(BytesIO(HEADERS[transport] + data), EVERYTHING)
    assert not result.crashed, result.crashed
    return name, result


def connection(data: bytes) -> None:
    """What passes through the tap is recorded in lines that are read again, and each exchange ends once."""
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder, "capture.jsonl"))
        recorder = HttpRecorder(CaptureWriter(path, {"id": "fuzz", "transport": "http"}), Redactor(b"salt"))
        tapped = Http1Connection(recorder, "c1", "127.0.0.1", "http://localhost:8000")
        for number, said in enumerate(data[1:].split(TURN)):
            feed = tapped.from_server if number % 2 else tapped.from_client
            for piece in pieces(data[:1] + said):
                feed(number, piece)
        tapped.stop(1e6)
        recorder.write()
        recorder.writer.end(1e6)
        records = _read_back(path)
    counts = Counter(record.get("x") for record in records if record.get("type") == "close")
    assert counts == Counter(record["x"] for record in records if record.get("type") == "request")


def imported(data: bytes) -> None:
    """A HAR becomes a capture that is read again, or is refused in one sentence and nothing is written."""
    with tempfile.TemporaryDirectory() as folder, redirect_stderr(StringIO()):
        har, path = Path(folder, "saved.har"), Path(folder, "capture.jsonl")
        har.write_bytes(b"{" + data.removeprefix(b"{"))
        refusal = _refusal(str(har), str(path))
        assert path.exists() == (refusal is None)
        assert refusal is None or "\n" not in refusal
        if refusal is None:
            _read_back(str(path))


def _refusal(har: str, path: str) -> str | None:
    try:
        importing.run([har], path)
    except McpsniffError as error:
        return str(error)
    return None


def _read_back(path: str) -> list[dict[str, Any]]:
    """Gives the records of a capture; none may be damaged."""
    with read(path) as capture:
        assert sum(1 for _ in capture) > 0
        assert not capture.damaged_count
    return [json.loads(line) for line in Path(path).read_bytes().split(b"\n") if line]


def expression(data: bytes) -> None:
    """An expression is understood, or refused with the place of the mistake."""
    text = data.decode("utf-8", "replace")
    place = 0
    try:
        query.parse(text)
    except query.QueryError as wrong:
        place = wrong.column
    assert 0 <= place <= len(text)


TARGETS: dict[str, Callable[[bytes], None]] = {
    one.__name__: one for one in (framing, verdict, events, reader, rules, report, connection, imported, expression)
}


def corpus(target: str) -> Iterator[bytes]:
    """Gives the seeds of a target, most from files that are there for other tests."""
    if target in _MADE:
        yield from _MADE[target]()
        return
    for path in sorted((ROOT / "samples/rules").glob("*/bad-*.jsonl")):
        seed = path.read_bytes().partition(b"\n")[2]
        if len(seed) <= SMALL:
            yield _AS[target](seed)


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, (list, dict)):
        for one in value.values() if isinstance(value, dict) else value:
            yield from _strings(one)


def _expressions() -> Iterator[bytes]:
    cases = json.loads((ROOT / "tests/query/corpus.json").read_text())
    yield from (text.encode() for text in _strings(cases))


def _archives() -> Iterator[bytes]:
    """Whole files of browsers, and each of their entries alone."""
    for path in sorted((ROOT / "tests/capture/importers").glob("*.har")):
        document = json.loads(path.read_bytes())
        for entry in document["log"]["entries"]:
            log = document["log"] | {"entries": [entry]}
            yield json.dumps({"log": log}, separators=(",", ":")).encode()


def _connections() -> Iterator[bytes]:
    """A POST and its answer, in each way that HTTP/1 has for the length of a body."""
    call = b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a"}}'
    result = b'{"jsonrpc":"2.0","id":1,"result":{"content":[]}}'
    event = b"data: " + result + b"\n\n"
    asked = b"POST /mcp HTTP/1.1\r\nHost: a\r\nContent-Length: %d\r\n\r\n%s" % (len(call), call)
    whole = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s" % (len(result), result)
    stream = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
    chunked = b"Transfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n0\r\n\r\n" % (len(event), event)
    for step in (b"\x05", b"\xff"):
        yield step + asked + TURN + whole + TURN + asked + TURN + whole
        yield step + asked + asked + TURN + b"HTTP/1.1 100 Continue\r\n\r\n" + stream + chunked + whole
        yield step + asked + TURN + stream + b"\r\n" + event
        yield step + asked + TURN + b"HTTP/1.1 101 Switching Protocols\r\n\r\n" + event


_MADE = {"expression": _expressions, "imported": _archives, "connection": _connections}
_AS: dict[str, Callable[[bytes], bytes]] = {
    "framing": lambda seed: b"\x07" + seed,
    "verdict": lambda seed: seed.partition(b"\n")[0],
    "events": lambda seed: b"\x07data: " + seed.replace(b"\n", b"\n\ndata: "),
    "reader": lambda seed: seed,
    "rules": lambda seed: seed,
    "report": lambda seed: bytes([crc32(seed) % 256]) + seed,
}
