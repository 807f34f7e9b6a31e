"""The file that a writer leaves, also where the disk fails it."""

import errno
import itertools
import json
import os
import resource
import stat
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import pytest

from mcpsniff.capture.writer import CaptureWriter
from mcpsniff.wire.lines import LineFramer

HEADER = {"id": "1", "transport": "stdio", "command": ["srv"]}


def written(path):
    return Path(path).read_bytes()


def records(path):
    return [json.loads(line) for line in written(path).splitlines()]


def text(writer, t, words):
    return writer.add_body(t, {"from": "server"}, words, size=len(words) + 1)


@contextmanager
def disk_of(size):
    """No file can grow beyond `size` bytes: writes to it stop half-way and then fail, as on a full disk."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.fixture
def path(tmp_path):
    return str(tmp_path / "captures" / "a.jsonl")


def test_a_small_session(path):
    """Header, lines of a chunk, single records and the end, in the order of their numbers."""
    writer = CaptureWriter(path, HEADER)
    writer.add_lines("client", LineFramer().feed(b'{"id":1}\nnoise\n', 0.5))
    assert writer.add("eof", 1.0, {"stream": "stdin"}) == 3
    writer.end(2.0)
    assert written(path) == (
        b'{"type":"capture","seq":0,"t":0.000000,"format":"mcpsniff","version":1,"id":"1","transport":"stdio"'
        b',"command":["srv"]}\n'
        b'{"type":"message","seq":1,"t":0.500000,"from":"client","size":9,"message":{"id":1}}\n'
        b'{"type":"text","seq":2,"t":0.500000,"from":"client","size":6,"raw":"noise"}\n'
        b'{"type":"eof","seq":3,"t":1.000000,"stream":"stdin"}\n'
        b'{"type":"end","seq":4,"t":2.000000,"records":5}\n'
    )
    assert (writer.records, writer.failed) == (5, None)


def test_the_standard_library_is_enough(path):
    """A closed mitmproxy has neither msgspec nor platformdirs; the capture is the same."""
    script = (
        "import sys; sys.modules.update(dict.fromkeys(['msgspec', 'platformdirs', 'orjson']))\n"
        "from mcpsniff.capture.paths import default_path\n"
        "from mcpsniff.capture.writer import CaptureWriter\n"
        "import mcpsniff.wire.redact, time\n"
        "default_path('x', time.localtime(), 1)\n"
        "writer = CaptureWriter(sys.argv[1], {})\n"
        "writer.add_body(1, {'from': 'server'}, b'{}', size=3)\n"
        "writer.end(2)"
    )
    subprocess.run([sys.executable, "-c", script, path], check=True)
    assert [r["type"] for r in records(path)] == ["capture", "message", "end"]


def test_file_and_new_folders_are_private(tmp_path):
    """Mode 0600 for the file, 0700 for every folder made, none of it dependent on the umask."""
    before = os.umask(0)
    try:
        writer = CaptureWriter(str(tmp_path / "a" / "b" / "c.jsonl"), HEADER)
    finally:
        os.umask(before)
    writer.end(1.0)
    modes = [stat.S_IMODE(os.stat(tmp_path / name).st_mode) for name in ("a", "a/b", "a/b/c.jsonl")]
    assert modes == [0o700, 0o700, 0o600]


def test_nothing_is_overwritten(path):
    """A name that is taken, even by a dangling link, is left alone; the process id goes before the suffix."""
    first = CaptureWriter(path, HEADER)
    second = CaptureWriter(path, HEADER, pid=7)
    third = CaptureWriter(path, HEADER, pid=7)
    names = [os.path.basename(writer.path) for writer in (first, second, third)]
    assert names == ["a.jsonl", "a-7.jsonl", "a-7-2.jsonl"]
    link = path.replace("a.jsonl", "link.jsonl")
    os.symlink("/nowhere/else", link)
    fourth = CaptureWriter(link, HEADER, pid=7)
    assert os.path.basename(fourth.path) == "link-7.jsonl"
    for writer in (first, second, third, fourth):
        writer.end(0)


def test_what_cannot_be_created_raises(tmp_path):
    """The caller decides what a missing capture means."""
    (tmp_path / "file").write_text("")
    with pytest.raises(OSError, match="file"):
        CaptureWriter(str(tmp_path / "file" / "a.jsonl"), HEADER)


def test_one_write_a_record_and_one_a_chunk(path, monkeypatch):
    """What was recorded is in the file before the next call, in one piece."""
    writer = CaptureWriter(path, HEADER)
    sizes = []
    write = os.write
    monkeypatch.setattr("os.write", lambda fd, data: sizes.append(bytes(data).count(b"\n")) or write(fd, data))
    writer.add_lines("server", LineFramer().feed(b"1\n2\n3\n", 0.1))
    writer.add("eof", 0.2, {"stream": "stdout"})
    writer.add_lines("server", [])
    assert sizes == [3, 1]
    writer.end(1)


def test_snaplen_stands_in_the_header_and_holds_for_bodies(path):
    """What was cut is marked, its size is that of the wire."""
    writer = CaptureWriter(path, HEADER, snaplen=10)
    writer.add_body(1, {"from": "server", "x": "x1"}, b'{"id":1,"result":{}}', size=20)
    writer.add_body(1, {"from": "server", "x": "x1", "encoding": "br"}, b"\x01" * 12, size=12)
    writer.add_body(1, {"from": "server", "x": "x1", "encoding": "br"}, b"\x01", size=1)
    writer.end(2)
    header, message, packed, short, _ = records(path)
    assert header["snaplen"] == 10
    assert (message["truncated"], message["head"], message["raw"]) == (True, {"id": 1}, '{"id":1,"r')
    assert (packed["type"], packed["size"], packed["truncated"]) == ("text", 12, True)
    assert (packed["b64"], short["b64"]) == ("AQEBAQEBAQEBAQ==", "AQ==")
    assert "truncated" not in short


def test_a_full_disk_loses_records_and_says_so(path):
    """Whole lines stay, the torn one goes; lost records use up numbers; the gap comes before what follows it."""
    writer = CaptureWriter(path, HEADER)
    text(writer, 1, b"kept")
    with disk_of(os.path.getsize(path) + 40):
        assert text(writer, 2, b"torn" * 10) == 2
        assert text(writer, 3, b"lost") == 3
        assert written(path).endswith(b'"raw":"kept"}\n')
        assert writer.failed == os.strerror(errno.EFBIG)
    assert text(writer, 4, b"back") == 5
    writer.end(5)
    assert [(r["type"], r["seq"]) for r in records(path)] == [
        ("capture", 0),
        ("text", 1),
        ("gap", 4),
        ("text", 5),
        ("end", 6),
    ]
    gap, end = records(path)[2], records(path)[4]
    assert (gap["records"], gap["bytes"], gap["why"]) == (2, 41 + 5, "write-error")
    assert end["records"] == writer.records == 5


def test_of_a_chunk_the_lines_that_fit_are_kept(path):
    """A write that stops within the second line of three keeps the first and counts the sizes of the others."""
    writer = CaptureWriter(path, HEADER)
    lines = LineFramer().feed(b"one\nsecond\nthree!!\n", 1)
    with disk_of(os.path.getsize(path) + 120):
        writer.add_lines("server", lines)
    writer.end(2)
    _, first, gap, end = records(path)
    assert (first["seq"], first["raw"]) == (1, "one")
    assert (gap["seq"], gap["records"], gap["bytes"]) == (4, 2, 7 + 8)
    assert (end["seq"], end["records"]) == (5, 4)


def test_a_header_that_does_not_fit_is_written_later(path):
    """The file is a capture as soon as it can be one."""
    with disk_of(20):
        writer = CaptureWriter(path, HEADER)
        text(writer, 1, b"lost")
        assert os.path.getsize(path) == 0
    text(writer, 2, b"kept")
    writer.end(3)
    assert [(r["type"], r["seq"]) for r in records(path)] == [("capture", 0), ("gap", 2), ("text", 3), ("end", 4)]


def test_a_torn_line_that_cannot_be_removed_is_ended(path, monkeypatch):
    """Where the file cannot be cut back either, the torn line spoils no other."""
    writer = CaptureWriter(path, HEADER)
    with monkeypatch.context() as patch, disk_of(os.path.getsize(path) + 30):
        patch.setattr("os.ftruncate", lambda fd, size: (_ for _ in ()).throw(OSError(errno.EIO, "broken")))
        text(writer, 1, b"torn")
    text(writer, 2, b"kept")
    writer.end(3)
    lines = written(path).split(b"\n")
    assert lines[1] == b'{"type":"text","seq":1,"t":1.0'
    assert [json.loads(line)["type"] for line in lines[2:-1]] == ["gap", "text", "end"]


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EIO, errno.EACCES, errno.EDQUOT])
def test_no_write_error_raises(path, monkeypatch, number):
    """Whatever the system says, the traffic goes on and the loss is told."""
    writer = CaptureWriter(path, HEADER)

    def fail(fd, data):
        raise OSError(number, os.strerror(number))

    with monkeypatch.context() as patch:
        patch.setattr("os.write", fail)
        text(writer, 1, b"lost")
        writer.add_lines("client", LineFramer().feed(b"1\n2\n", 1))
        writer.lose(1, 5, 100, "queue-full")
        assert writer.failed == os.strerror(number)
    writer.add("eof", 2, {"stream": "stdin"})
    writer.end(3)
    _, gap, eof, end = records(path)
    assert (gap["seq"], gap["records"], gap["bytes"]) == (10, 1 + 2 + 5 + 1, 5 + 4 + 100)
    assert (eof["seq"], end["records"]) == (11, 4)


def test_short_writes_are_gone_on_with(path, monkeypatch):
    """A system call that takes a few bytes at a time loses none."""
    write = os.write
    monkeypatch.setattr("os.write", lambda fd, data: write(fd, data[:7]))
    writer = CaptureWriter(path, HEADER)
    text(writer, 1, b"kept")
    writer.end(2)
    assert [r["type"] for r in records(path)] == ["capture", "text", "end"]


def test_traffic_that_never_came_is_a_gap(path):
    """A recorder that could not keep up tells what it dropped; the numbers jump over it."""
    writer = CaptureWriter(path, HEADER)
    writer.lose(1, 3, 300, "queue-full")
    text(writer, 2, b"kept")
    writer.end(3)
    assert [(r["type"], r["seq"]) for r in records(path)] == [("capture", 0), ("gap", 4), ("text", 5), ("end", 6)]
    assert records(path)[1] == {"type": "gap", "seq": 4, "t": 1, "records": 3, "bytes": 300, "why": "queue-full"}


def test_a_failing_close_is_told(path, monkeypatch):
    """A disk that reports its faults at the end does not stop the recorder either."""
    writer = CaptureWriter(path, HEADER)
    close = os.close

    def fail(fd):
        close(fd)
        raise OSError(errno.EIO, "broken")

    with monkeypatch.context() as patch:
        patch.setattr("os.close", fail)
        writer.end(1)
    assert writer.failed == "broken"


def test_after_the_end_nothing_is_written(path):
    """A late record neither raises nor lands in another file that got the descriptor's number."""
    writer = CaptureWriter(path, HEADER)
    writer.end(1)
    size = os.path.getsize(path)
    text(writer, 2, b"late")
    assert os.path.getsize(path) == size


def test_numbers_count_up_over_all_kinds_of_calls(path):
    """One counter for every way of writing."""
    writer = CaptureWriter(path, HEADER)
    for t in range(3):
        writer.add_lines("client", LineFramer().feed(b"1\n2\n", t))
        text(writer, t, b"x")
        writer.add("eof", t, {"stream": "stdin"})
    writer.end(9)
    assert [r["seq"] for r in records(path)] == list(itertools.islice(itertools.count(), 14))
