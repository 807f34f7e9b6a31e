"""A capture in parts is the capture: the same bytes, the same findings, wherever one part ends and the next begins."""

import json
import os
import random
import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from mcpsniff.analysis.engine import analyze
from mcpsniff.capture.parts import grouped, read_parts
from mcpsniff.capture.streams import stdio_bytes
from mcpsniff.capture.writer import CaptureWriter
from mcpsniff.relay import Keeping
from mcpsniff.rules.selection import EVERYTHING
from mcpsniff.wire.lines import LineFramer

STREAMS = ("client", "server", "stderr")
PIECE = st.sampled_from(
    [b'{"jsonrpc":"2.0","id":1,"method":"m"}', b"noise", b"\n", b"\r\n", b"\xff", b"x" * 300, b"[1]\n"]
)
SESSION = st.lists(st.tuples(st.sampled_from(STREAMS), st.lists(PIECE, max_size=9).map(b"".join)), max_size=12)


@given(
    SESSION,
    st.integers(min_value=100, max_value=1500),
    st.sampled_from([None, "1", "4"]),
    st.sampled_from([None, "gzip", "zstd"]),
    st.randoms(use_true_random=False),
)
@settings(max_examples=60)
def test_a_rotated_session_comes_back_byte_for_byte(session, size, seconds, compress, order):
    """Any sizes, seconds and packing, the files given in any order: all bytes, and numbers without a jump."""
    framers = {stream: LineFramer() for stream in STREAMS}
    with tempfile.TemporaryDirectory() as folder:
        keeping = Keeping(part_size=str(size), part_seconds=seconds, compress=compress)
        writer = CaptureWriter(os.path.join(folder, "a.jsonl"), {"id": "1", "transport": "stdio"}, storage=keeping)
        for number, (stream, chunk) in enumerate(session):
            writer.add_lines(stream, framers[stream].feed(chunk, number))
        for stream, framer in framers.items():
            last = framer.flush()
            writer.add_lines(stream, [last] if last is not None else [])
        writer.end(len(session))
        files = [os.path.join(folder, name) for name in os.listdir(folder)]
        order.shuffle(files)
        (capture,) = grouped(files)
        reader = read_parts(capture)
        records = list(reader)
    assert stdio_bytes(records) == {s: b"".join(chunk for name, chunk in session if name == s) for s in STREAMS}
    assert [record.seq for record in records] == list(range(len(records)))
    assert reader.numbers == list(range(1, len(files) + 1))
    assert (reader.cut, reader.damaged_count, records[-1].records) == (False, 0, len(records))


def test_a_capture_in_parts_is_judged_as_the_whole(captures, tmp_path):
    """On sample captures of all kinds, cut into parts at random: the same findings on the same records."""
    dice = random.Random(5)
    for path in dice.sample(captures, 200):
        files = parts_of(path, tmp_path, dice)
        assert found(tuple(files)) == found((str(path),)), path


def parts_of(path: Path, folder: Path, dice: random.Random) -> list[str]:
    """Writes the parts of a capture, of one to nine records each."""
    head, *lines = path.read_bytes().split(b"\n")[:-1]
    first = json.loads(head).get("part", 1)
    files = []
    while lines or not files:
        count = dice.randint(1, 9)
        header = {**json.loads(head), "part": first + len(files), "expect": None}
        files.append(str(folder / f"{len(files)}.jsonl"))
        some, lines = lines[:count], lines[count:]
        Path(files[-1]).write_bytes(b"\n".join([json.dumps(header).encode(), *some, b""]))
    return files


def found(files: tuple[str, ...]) -> list[tuple[object, ...]]:
    """What all rules find."""
    _, result = analyze(files, EVERYTHING)
    assert not result.crashed
    findings = (one for session in result.sessions for one in session.findings)
    return sorted((one.rule, one.severity, one.violator, one.count, one.seq) for one in findings)
