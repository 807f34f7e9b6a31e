"""What foreign bytes are thrown at: each target takes any bytes, and raises where a promise is broken.

Played with the corpus by test_targets.py, and for as long as one likes by fuzz.py.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path

from mcpsniff import query
from mcpsniff.analysis.engine import analyze
from mcpsniff.analysis.report import build
from mcpsniff.capture.reader import read
from mcpsniff.render.formats import Format, render
from mcpsniff.rules.selection import EVERYTHING
from mcpsniff.wire.jsontext import is_json, is_json_exactly
from mcpsniff.wire.lines import LineFramer
from mcpsniff.wire.sse import SseFramer

ROOT = Path(__file__).parents[2]
SMALL = 4_000  # bytes of a seed
HEADERS = {
    sort: b'{"type":"capture","seq":0,"t":0,"format":"mcpsniff","version":1,"transport":"%s"}\n' % sort.encode()
    for sort in ("stdio", "http")
}
CONTROLS = frozenset(range(32)) - {9, 10} | {127}  # what a terminal obeys


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


def report(data: bytes) -> None:
    """No rule breaks, every format can be written, and nothing that a terminal obeys is in what people read."""
    for header in HEADERS.values():
        name, result = analyze(BytesIO(header + data), EVERYTHING)
        assert not result.crashed, result.crashed
        whole = build([(name, result)])
        for format_ in Format:
            written = render(whole, format_)
            assert format_ is not Format.terminal or CONTROLS.isdisjoint(written)


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
    one.__name__: one for one in (framing, verdict, events, reader, report, expression)
}


def corpus(target: str) -> Iterator[bytes]:
    """Gives the seeds of a target, all from files that are there for other tests."""
    if target == "expression":
        cases = json.loads((ROOT / "tests/query/corpus.json").read_text())
        yield from (text.encode() for text in _strings(cases))
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


_AS: dict[str, Callable[[bytes], bytes]] = {
    "framing": lambda seed: b"\x07" + seed,
    "verdict": lambda seed: seed.partition(b"\n")[0],
    "events": lambda seed: b"\x07data: " + seed.replace(b"\n", b"\n\ndata: "),
    "reader": lambda seed: seed,
    "report": lambda seed: seed,
}
