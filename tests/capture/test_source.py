"""Bytes from paths, pipes and packed files."""

import gzip
import io
import sys

import pytest

from mcpsniff.capture.source import Source
from mcpsniff.errors import McpsniffError

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

DATA = b"one\r\rtwo\nthree\x0b\x0c\xe2\x80\xa8\nrest"
LINES = [b"one\r\rtwo\n", b"three\x0b\x0c\xe2\x80\xa8\n", b"rest"]


def lines(source):
    opened = Source(source)
    try:
        return list(opened.lines)
    finally:
        opened.close()


@pytest.mark.parametrize("pack", [bytes, gzip.compress, zstd.compress], ids=["plain", "gzip", "zstd"])
def test_lines_are_split_on_lf_alone(tmp_path, pack):
    """A path and an open file give the same lines, packed or not, whatever the name says."""
    path = tmp_path / "capture.bin"
    path.write_bytes(pack(DATA))
    assert lines(str(path)) == LINES
    with open(path, "rb") as file:
        assert lines(file) == LINES
        assert not file.closed
    assert lines(io.BytesIO(pack(DATA))) == LINES


def test_bytes_read_are_those_of_the_file(tmp_path):
    """Progress is measured against the size on disk, also of a packed file."""
    path = tmp_path / "a.gz"
    path.write_bytes(gzip.compress(DATA * 1000))
    source = Source(str(path))
    list(source.lines)
    source.close()
    assert source.bytes_read == path.stat().st_size


def test_members_of_a_packed_file_follow_each_other():
    """Two packed files, one after the other, are one."""
    assert lines(io.BytesIO(gzip.compress(b"one\r\rtwo\n") + gzip.compress(DATA[9:]))) == LINES
    assert lines(io.BytesIO(zstd.compress(b"one\r\rtwo\n") + zstd.compress(DATA[9:]))) == LINES


def test_what_cannot_be_opened_is_named(tmp_path):
    """One sentence with the path and the system's reason."""
    with pytest.raises(McpsniffError, match=r"nowhere\.jsonl cannot be read: No such file"):
        Source(str(tmp_path / "nowhere.jsonl"))
    with pytest.raises(McpsniffError, match="is a folder, and no capture lies in it"):
        Source(str(tmp_path))
