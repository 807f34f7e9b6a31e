"""Long records: what their pieces make when joined, and what they take."""

import base64
import json
import tracemalloc

import pytest

from mcpsniff.capture import encode, long
from mcpsniff.capture.encode import record
from mcpsniff.capture.writer import CaptureWriter
from mcpsniff.wire.lines import LineFramer

MB = 1 << 20


@pytest.mark.parametrize("text", ["é" * 100_000, "x" + "€" * 100_000, '"\\\n\x01' * 50_000, ""], ids=len)
def test_text_is_escaped_over_all_pieces(text):
    """Characters that a piece's end cuts in two come out whole."""
    assert b"".join(long.escaped(text.encode())) == json.dumps(text, ensure_ascii=False).encode()


def test_half_a_character_at_the_end_is_dropped():
    """The euro sign has three bytes."""
    assert b"".join(long.escaped("a€".encode()[:-1])) == b'"a"'


@pytest.mark.parametrize("size", [0, 1, 98_304, 98_305, 300_000])
def test_base64_has_its_padding_at_its_end(size):
    """Pieces of 98,304 bytes are whole groups of three."""
    body = bytes(n % 256 for n in range(size))
    assert b"".join(long.base64(body)) == b'"%s"' % base64.b64encode(body)


@pytest.mark.parametrize(
    "data", [b'{"id":1}\n', b'{"id":1}\r\n', "né\n".encode(), b"\xff\n", b'{"a":"\xc3\xa9'], ids=repr
)
@pytest.mark.parametrize("snaplen", [None, 7])
def test_the_same_bytes_in_pieces_and_at_once(data, snaplen, monkeypatch):
    """Where a record counts as long changes nothing of it."""
    framer = LineFramer(snaplen)
    (line,) = filter(None, [*framer.feed(data, 1.0), framer.flush()])
    at_once = encode.stdio_line("server", 2, line, snaplen)
    monkeypatch.setattr(encode, "LONG", 0)
    (pieces,) = encode.stdio_lines("server", 2, [line], snaplen)
    assert isinstance(pieces, long.LongRecord)
    assert (b"".join(pieces), len(pieces)) == (at_once, len(at_once))


def body(data):
    """The arguments of a record with these bytes in the place of a message."""
    kind, payload = encode.body_payload(data, False, None)
    return kind, 1, 0.0, payload


def test_a_record_beyond_four_mebibytes_is_in_pieces():
    """One of just so many bytes is not."""
    for byte in (b"1", b"x", b"\xff"):
        for size, kind in ((4 * MB, bytes), (4 * MB + 1, long.LongRecord)):
            assert type(record(*body(byte * size))) is kind


@pytest.mark.parametrize(
    "unit",
    [b"x", b"\x01", b"\xff", "é".encode(), "😀".encode(), b"\\ud800"],
    ids=["ascii", "control", "junk", "two bytes", "four bytes", "surrogates"],
)
@pytest.mark.parametrize(("start", "end"), [(b"", b"\n"), (b'{"id":1,"a":"', b'"}\r\n')], ids=["text", "json"])
@pytest.mark.parametrize("limit", [None, 8 * MB], ids=["whole", "cut"])
def test_a_long_line_takes_twice_its_payload(tmp_path, unit, start, end, limit):
    """The pieces that came and one copy: nothing more for framing, judging, escaping and writing it."""
    kept = 8 * MB
    framer = LineFramer(limit)
    writer = CaptureWriter(str(tmp_path / "c.jsonl"), {}, snaplen=limit)
    tracemalloc.start()
    try:
        framer.feed(start, 0.0)
        for _ in range(120 if limit is None else 200):
            framer.feed(unit * (65536 // len(unit)), 0.5)
        lines = framer.feed(end, 1.0)
        writer.add_lines("server", lines)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    writer.end(2.0)
    assert peak < 2 * kept + 2 * MB
    first = json.loads((tmp_path / "c.jsonl").read_bytes().splitlines()[1])
    assert (first["size"], first.get("truncated", False)) == (lines[0].size, limit is not None)
