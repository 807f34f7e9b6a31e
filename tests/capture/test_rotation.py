"""The files of a rotation: what stands in which, how they are called, which stay."""

import os
import stat
import threading

import pytest

from mcpsniff.wire.lines import LineFramer


def test_without_a_rotation_there_is_one_file(say, start, parts):
    """Whatever its size, and no part is named in it."""
    writer = start()
    for t in range(10):
        say(writer, t * 100, 1000)
    writer.end(1000)
    (records,) = parts().values()
    assert "part" not in records[0]
    assert os.path.basename(writer.path) == "c.jsonl"


def test_a_part_does_not_grow_beyond_its_size(say, start, parts, tmp_path):
    """Three records of 300 bytes and a header fit into 1k; numbers go on, and each part names the one before."""
    writer = start(part_size="1k")
    for t in range(7):
        say(writer, t, 260)
    writer.end(7)
    found = parts()
    assert list(found) == ["c-00001.jsonl", "c-00002.jsonl", "c-00003.jsonl"]
    assert [len(records) for records in found.values()] == [4, 4, 3]
    headers = [records[0] for records in found.values()]
    assert [(one["id"], one["part"], one.get("previous")) for one in headers] == [
        ("1", 1, None),
        ("1", 2, "1"),
        ("1", 3, "1"),
    ]
    assert {(one["seq"], one["t"]) for one in headers} == {(0, 0)}
    rest = [record for records in found.values() for record in records[1:]]
    assert [one["seq"] for one in rest] == list(range(1, 9))
    assert rest[-1] == {"type": "end", "seq": 8, "t": 7.0, "records": 9}
    assert all(path.stat().st_size <= 1024 for path in tmp_path.iterdir())
    assert {stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()} == {0o600}


def test_the_lines_of_one_chunk_are_cut_apart(start, parts, tmp_path):
    """A read of many lines goes into as many parts as it needs, and no line is torn."""
    writer = start(part_size="1k")
    writer.add_lines("client", LineFramer().feed(b"".join(b"%d\n" % n for n in range(1000)), 1.0))
    writer.end(2)
    found = parts()
    rest = [record for records in found.values() for record in records[1:]]
    assert [one["seq"] for one in rest] == list(range(1, 1002))
    assert [one["message"] for one in rest[:-1]] == list(range(1000))
    sizes = [path.stat().st_size for path in sorted(tmp_path.iterdir())]
    assert all(900 < size <= 1024 for size in sizes[:-1])


def test_a_record_larger_than_a_part_has_one_of_its_own(say, start, parts):
    """It cannot be cut, and nothing else is made larger by it."""
    writer = start(part_size="500")
    for size in (70, 5000, 70):
        say(writer, 1, size)
    writer.end(2)
    assert [[one["type"] for one in records] for records in parts().values()] == [
        ["capture", "text"],
        ["capture", "text"],
        ["capture", "text", "end"],
    ]


def test_a_part_is_written_to_for_so_many_seconds(say, start, parts):
    """The first record that comes later begins the next part; silence begins none."""
    writer = start(part_seconds="10")
    for t in (1, 9.9, 10, 19.9, 55, 64):
        say(writer, t, 70)
    writer.end(64.5)
    times = [[one["t"] for one in records[1:]] for records in parts().values()]
    assert times == [[1, 9.9], [10, 19.9], [55, 64, 64.5]]


def test_a_ring_keeps_the_newest(say, start, parts, tmp_path):
    """Older parts are removed as new ones begin; what others have put there stays."""
    (tmp_path / "other.jsonl").write_text("{}\n")
    writer = start(part_size="200", parts="2")
    for t in range(6):
        say(writer, t, 150)
        assert len(list(tmp_path.iterdir())) <= 3
    writer.end(6)
    assert list(parts()) == ["c-00006.jsonl", "c-00007.jsonl", "other.jsonl"]


@pytest.mark.parametrize(("how", "suffix"), [("gzip", ".gz"), ("zstd", ".zst")])
def test_finished_parts_are_packed(say, start, parts, how, suffix):
    """The one that is written stays plain until its end."""
    writer = start(part_size="200", compress=how)
    for t in range(3):
        say(writer, t, 150)
    assert os.path.basename(writer.path) == "c-00003.jsonl"
    assert os.path.exists(writer.path)
    writer.end(6)
    found = parts()
    assert list(found) == [f"c-0000{n}.jsonl{suffix}" for n in (1, 2, 3, 4)]
    assert [one["seq"] for records in found.values() for one in records[1:]] == [1, 2, 3, 4]
    assert writer.trouble is None


def test_a_single_file_is_packed_at_its_end(start, parts):
    """Packing needs no rotation."""
    writer = start(compress="gzip")
    writer.end(1)
    assert list(parts()) == ["c.jsonl.gz"]


def test_a_ring_of_packed_parts(say, start, parts):
    """What is removed is removed in its packed form, too."""
    writer = start(part_size="200", parts="2", compress="gzip")
    for t in range(6):
        say(writer, t, 150)
    writer.end(6)
    assert list(parts()) == ["c-00006.jsonl.gz", "c-00007.jsonl.gz"]


def test_what_was_packed_is_not_overwritten_later(start, parts, tmp_path):
    """A plain name is taken where its packed form would be."""
    (tmp_path / "c.jsonl.gz").write_bytes(b"mine")
    start(compress="gzip").end(1)
    assert (tmp_path / "c.jsonl.gz").read_bytes() == b"mine"
    assert (tmp_path / "c-7.jsonl.gz").exists()


def test_two_rotations_of_one_name_stay_apart(say, start, parts):
    """The second puts its process id before all of its numbers, also where the first has not come that far."""
    first, second = start(part_size="200"), start(part_size="200")
    for t in range(3):
        say(second, t, 150)
    say(first, 1, 150)
    say(first, 2, 150)
    assert [os.path.basename(one.path) for one in (first, second)] == ["c-00002.jsonl", "c-7-00003.jsonl"]


def test_names_are_made_when_a_part_begins(say, start, parts, tmp_path):
    """The pattern is told at which second of the capture; missing folders are made."""
    writer = start(lambda t: str(tmp_path / f"d{t:02.0f}" / "c.jsonl"), part_seconds="5")
    for t in (1, 7, 20):
        say(writer, t, 70)
    writer.end(21)
    assert [str(path.relative_to(tmp_path)) for path in sorted(tmp_path.rglob("*.jsonl"))] == [
        "d00/c-00001.jsonl",
        "d07/c-00002.jsonl",
        "d20/c-00003.jsonl",
    ]


def test_each_record_is_on_the_disk_before_the_next(say, start, monkeypatch):
    """With sync each write is followed by a call that waits for the disk; a disk that fails then is told."""
    calls = []
    monkeypatch.setattr("mcpsniff.capture.appender._sync", lambda fd: calls.append(fd))
    writer = start(sync=True)
    say(writer, 1, 70)
    assert len(calls) == 2
    monkeypatch.setattr("mcpsniff.capture.appender._sync", lambda fd: (_ for _ in ()).throw(OSError(5, "broken")))
    say(writer, 2, 70)
    assert writer.failed == "broken"


def test_packing_that_fails_is_told(start, parts, monkeypatch):
    """The plain file stays."""
    monkeypatch.setattr("mcpsniff.capture.rotation.pack", lambda path, how: (_ for _ in ()).throw(OSError(28, "full")))
    writer = start(compress="gzip")
    writer.end(1)
    assert list(parts()) == ["c.jsonl"]
    assert writer.trouble == f"the capture {writer.path!r} is whole, but cannot pack {writer.path!r}: full"


def test_recording_does_not_wait_for_the_packer(say, start, monkeypatch, tmp_path):
    """While a part is being packed, records go on into the next."""
    go_on = threading.Event()
    monkeypatch.setattr("mcpsniff.capture.rotation.pack", lambda path, how: go_on.wait(20))
    writer = start(part_size="200", compress="gzip")
    for t in range(3):
        say(writer, t, 150)
    assert os.path.basename(writer.path) == "c-00003.jsonl"
    go_on.set()
    writer.end(4)
