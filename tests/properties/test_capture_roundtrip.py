"""From a capture the streams of a session can be rebuilt exactly, whatever was sent and however it arrived."""

import itertools
import os
import tempfile

from hypothesis import given, settings
from hypothesis import strategies as st

from mcpsniff.capture.reader import read
from mcpsniff.capture.records import Message, Text
from mcpsniff.capture.streams import stdio_bytes
from mcpsniff.capture.writer import CaptureWriter
from mcpsniff.wire.jsontext import is_json
from mcpsniff.wire.lines import LineFramer

PIECE = st.sampled_from(
    [
        *(b'{"jsonrpc":"2.0","id":1,"method":"m"}', b'"message":', b'"\\ud800"', b'":"', b"1e999", b"null", b"NaN"),
        *(b"{", b"}", b" ", b"\t", b"\r", b"\n", b"\r\n", b"\n\n", b"\x00", b"noise"),
        *(b"\xff", b"\xc3", b"\xef\xbb\xbf{}", "é\u2028".encode()),
    ]
)
CHUNK = st.tuples(
    st.sampled_from(["client", "server", "stderr"]),
    st.lists(PIECE, min_size=1, max_size=6).map(b"".join) | st.binary(min_size=1, max_size=20),
)
SESSION = st.lists(CHUNK, max_size=12)


def recorded(session, path, snaplen=None):
    """Writes a session as the recorder does and gives the file's path."""
    writer = CaptureWriter(path, {"id": "1", "transport": "stdio"}, snaplen=snaplen)
    framers = {stream: LineFramer(snaplen) for stream in ("client", "server", "stderr")}
    for number, (stream, chunk) in enumerate(session):
        writer.add_lines(stream, framers[stream].feed(chunk, number / 10))
    for stream, framer in framers.items():
        last = framer.flush()
        writer.add_lines(stream, [last] if last is not None else [])
    writer.end(len(session) / 10)
    return writer.path


@given(SESSION)
@settings(max_examples=400)
def test_a_session_comes_back_byte_for_byte(session):
    """Client, server and stderr bytes in, the same out; numbers without a jump; no line damaged."""
    with tempfile.TemporaryDirectory() as folder:
        reader = read(recorded(session, os.path.join(folder, "a.jsonl")))
        records = list(reader)
    sent = {
        stream: b"".join(chunk for name, chunk in session if name == stream)
        for stream in ("client", "server", "stderr")
    }
    assert stdio_bytes(records) == sent
    assert [record.seq for record in records] == list(range(len(records)))
    assert (reader.damaged, reader.cut, records[-1].records) == ([], False, len(records))
    bodies = [record for record in records if isinstance(record, Message | Text)]
    assert all(is_json(record.data) is isinstance(record, Message) for record in bodies)
    assert all(record.size == len(record.data + record.eol.encode()) for record in bodies)


@given(SESSION, st.integers(min_value=0, max_value=20))
@settings(max_examples=200)
def test_with_a_snaplen_sizes_are_whole_and_starts_are_right(session, snaplen):
    """What is kept is a start of what was sent, at most three bytes short of the limit; sizes add up to the stream."""
    with tempfile.TemporaryDirectory() as folder:
        full = list(read(recorded(session, os.path.join(folder, "a.jsonl"))))
        short = list(read(recorded(session, os.path.join(folder, "b.jsonl"), snaplen)))
    assert len(full) == len(short)
    for whole, kept in zip(full, short, strict=True):
        if not hasattr(whole, "size"):
            continue
        assert (kept.size, kept.eol) == (whole.size, whole.eol)
        assert kept.truncated is (len(whole.data) > snaplen)
        assert whole.data.startswith(kept.data)
        assert min(snaplen, len(whole.data)) - 3 <= len(kept.data) <= max(snaplen, 0)


@given(SESSION, st.data())
@settings(max_examples=150)
def test_a_capture_with_any_damage_is_read(session, data):
    """Cut at any byte, a byte changed, a line doubled or gone: no exception, and whole lines are not lost."""
    with tempfile.TemporaryDirectory() as folder:
        path = recorded(session, os.path.join(folder, "a.jsonl"))
        with open(path, "rb") as file:
            header, *lines = file.read().splitlines(keepends=True)
        lines = [line for line in lines for _ in range(data.draw(st.integers(min_value=0, max_value=2)))]
        rest = bytearray(b"".join(lines))
        if rest:
            rest[data.draw(st.integers(min_value=0, max_value=len(rest) - 1))] = data.draw(st.integers(0, 255))
        rest = rest[: data.draw(st.integers(min_value=0, max_value=len(rest)))]
        with open(path, "wb") as file:
            file.write(header + rest)
        reader = read(path)
        got = len(list(itertools.islice(reader, 1, None)))
    assert got + reader.damaged_count >= rest.count(b"\n") - rest.count(b"\n\n") - 1
    assert got >= rest.count(b"\n") - 3
