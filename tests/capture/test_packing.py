"""Finished files are packed without ever being the only copy half-way."""

import gzip
import os
import stat
import sys

import pytest

from mcpsniff.capture.packing import SUFFIXES, pack, remove
from mcpsniff.capture.source import Source

DATA = b'{"a":1}\n' * 200_000  # more than is moved at once


@pytest.fixture
def path(tmp_path):
    """A plain file."""
    (tmp_path / "c.jsonl").write_bytes(DATA)
    return str(tmp_path / "c.jsonl")


@pytest.mark.parametrize("how", SUFFIXES)
def test_the_packed_file_takes_the_place_of_the_plain_one(path, how):
    """The same bytes, far fewer of them, for the owner alone."""
    pack(path, how)
    packed = path + SUFFIXES[how]
    assert not os.path.exists(path)
    source = Source(packed)
    assert source.lines.read() == DATA
    source.close()
    assert os.path.getsize(packed) < len(DATA) / 10
    assert stat.S_IMODE(os.stat(packed).st_mode) == 0o600


def test_gzip_is_gzip(path):
    """Python's own reader takes it."""
    pack(path, "gzip")
    with open(path + ".gz", "rb") as packed:
        assert gzip.decompress(packed.read()) == DATA


@pytest.mark.parametrize("how", SUFFIXES)
def test_a_packed_file_that_exists_is_not_touched(path, how):
    """Both stay as they were."""
    with open(path + SUFFIXES[how], "wb") as other:
        other.write(b"mine")
    with pytest.raises(FileExistsError):
        pack(path, how)
    assert os.path.getsize(path) == len(DATA)
    assert os.path.getsize(path + SUFFIXES[how]) == 4


def test_what_cannot_be_packed_stays_plain(path, monkeypatch):
    """A disk that fails at the last moment leaves the plain file and nothing else."""
    monkeypatch.setattr("os.fsync", lambda fd: (_ for _ in ()).throw(OSError(5, "broken")))
    with pytest.raises(OSError, match="broken"):
        pack(path, "gzip")
    assert os.listdir(os.path.dirname(path)) == ["c.jsonl"]


def test_without_a_packer(path, monkeypatch):
    """Where zstd cannot be imported the plain file stays."""
    monkeypatch.setitem(sys.modules, "backports.zstd" if sys.version_info < (3, 14) else "compression.zstd", None)
    monkeypatch.delattr("backports.zstd" if sys.version_info < (3, 14) else "compression.zstd", raising=False)
    with pytest.raises(ImportError):
        pack(path, "zstd")
    assert os.listdir(os.path.dirname(path)) == ["c.jsonl"]


def test_removing_takes_all_forms(path):
    """Plain, packed, or not there at all."""
    for name in (path + ".gz", path + ".zst"):
        open(name, "w").close()
    remove(path)
    remove(path)
    assert os.listdir(os.path.dirname(path)) == []
