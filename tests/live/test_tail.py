"""One file that grows: half-written lines, damage, headers that are not there yet, what has ended."""

import gzip
import os

import pytest

from mcpsniff.errors import McpsniffError
from mcpsniff.live.tail import Tail, has_ended, header_of, opened


def seqs(tail):
    """The numbers of the records that have come."""
    return [record.seq for record in iter(tail.next, None)]


def test_half_a_line_waits_for_its_end(tmp_path, growing):
    """A record is given once its line is whole, and only once."""
    capture = growing(tmp_path / "a.jsonl")
    tail = Tail(str(capture.path))
    line = capture.line(type="eof", stream="stdin")
    capture.write(line[:20])
    assert seqs(tail) == [0]
    capture.write(line[20:30])
    assert seqs(tail) == []
    capture.write(line[30:] + capture.line(type="exit", code=0))
    assert seqs(tail) == [1, 2]
    tail.close()


def test_line_longer_than_a_piece_is_one_record(tmp_path, growing):
    """3 MB in one line, read in pieces of one."""
    capture = growing(tmp_path / "a.jsonl")
    capture.noise("x" * 3_000_000)
    tail = Tail(str(capture.path))
    assert [len(record.data) for record in iter(tail.next, None) if record.seq] == [3_000_000]
    tail.close()


def test_damaged_lines_are_counted(tmp_path, growing):
    """A line that holds no record is no record; an empty one is nothing."""
    capture = growing(tmp_path / "a.jsonl")
    capture.write("oops\n\n")
    capture.add(type="eof", stream="stdin")
    tail = Tail(str(capture.path))
    assert (seqs(tail), tail.damaged) == ([0, 1], 1)
    tail.close()


def test_what_was_open_can_be_read_when_it_is_removed(tmp_path, growing):
    """As a ring of files removes its oldest."""
    capture = growing(tmp_path / "a.jsonl")
    tail = Tail(str(capture.path))
    capture.ping(1)
    os.remove(capture.path)
    assert seqs(tail) == [0, 1, 2]
    tail.close()


def test_header_is_awaited(tmp_path, growing):
    """No file, an empty one, half a header: nothing yet. Another first line: no capture."""
    path = tmp_path / "a.jsonl"
    assert header_of(str(path)) is None
    path.write_text("")
    assert header_of(str(path)) is None
    path.write_text('{"type":"cap')
    assert header_of(str(path)) is None
    path.unlink()
    growing(path)
    assert header_of(str(path)).id == "c"
    path.write_text("{}\n")
    with pytest.raises(McpsniffError, match="no mcpsniff capture"):
        header_of(str(path))


def test_end_is_seen(tmp_path, growing):
    """An `end` record as the last line, whole; a packed file never grows."""
    capture = growing(tmp_path / "a.jsonl")
    assert not has_ended(str(capture.path))
    capture.end()
    assert has_ended(str(capture.path))
    capture.write('{"type":')
    assert not has_ended(str(capture.path))
    assert has_ended("b.jsonl.gz")


def test_packed_file_is_read_as_a_whole(tmp_path, growing):
    """The same records."""
    capture = growing(tmp_path / "a.jsonl")
    capture.ping(1)
    packed = tmp_path / "a.jsonl.gz"
    packed.write_bytes(gzip.compress(capture.path.read_bytes()))
    tail = opened(str(packed))
    assert (seqs(tail), tail.damaged) == ([0, 1, 2], 0)
    tail.close()
