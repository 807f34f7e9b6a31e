"""The files of a rotation: what stands in which, how they are called, which stay."""

import json
import os
import stat
import threading

import pytest

from mcpsniff.capture.source import Source
from mcpsniff.capture.writer import CaptureWriter
from mcpsniff.relay import Keeping
from mcpsniff.wire.lines import LineFramer

HEADER = {"id": "1", "transport": "stdio"}


@pytest.fixture
def start(tmp_path):
    """Opens captures in an empty folder: `start(**words)`."""
    writers = []

    def make(path=str(tmp_path / "c.jsonl"), **words):
        writers.append(CaptureWriter(path, HEADER, storage=Keeping(**words), pid=7))
        return writers[-1]

    yield make
    for writer in writers:
        writer.close()


@pytest.fixture
def parts(tmp_path):
    """Gives the records of each file in the folder, by the files' names in their order."""

    def read():
        found = {}
        for path in sorted(tmp_path.rglob("*.jsonl*")):
            source = Source(str(path))
            found[path.name] = [json.loads(line) for line in source.lines]
            source.close()
        return found

    return read


def say(writer, t, size):
    """Adds a record of about `size` bytes."""
    writer.add_body(t, {"from": "server"}, b"x" * (size - 60), size=size)


def test_without_a_rotation_there_is_one_file(start, parts):
    """Whatever its size, and no part is named in it."""
    writer = start()
    for t in range(10):
        say(writer, t * 100, 1000)
    writer.end(1000)
    (records,) = parts().values()
    assert "part" not in records[0]
    assert os.path.basename(writer.path) == "c.jsonl"


def test_a_part_does_not_grow_beyond_its_size(start, parts, tmp_path):
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


def test_a_record_larger_than_a_part_has_one_of_its_own(start, parts):
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


def test_a_part_is_written_to_for_so_many_seconds(start, parts):
    """The first record that comes later begins the next part; silence begins none."""
    writer = start(part_seconds="10")
    for t in (1, 9.9, 10, 19.9, 55, 64):
        say(writer, t, 70)
    writer.end(64.5)
    times = [[one["t"] for one in records[1:]] for records in parts().values()]
    assert times == [[1, 9.9], [10, 19.9], [55, 64, 64.5]]


def test_a_ring_keeps_the_newest(start, parts, tmp_path):
    """Older parts are removed as new ones begin; what others have put there stays."""
    (tmp_path / "other.jsonl").write_text("{}\n")
    writer = start(part_size="200", parts="2")
    for t in range(6):
        say(writer, t, 150)
        assert len(list(tmp_path.iterdir())) <= 3
    writer.end(6)
    assert list(parts()) == ["c-00006.jsonl", "c-00007.jsonl", "other.jsonl"]


@pytest.mark.parametrize(("how", "suffix"), [("gzip", ".gz"), ("zstd", ".zst")])
def test_finished_parts_are_packed(start, parts, how, suffix):
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


def test_after_the_end_no_part_is_begun(start, parts):
    """A late record is lost, and a second end changes nothing."""
    writer = start(part_size="200")
    writer.end(1)
    say(writer, 5, 150)
    writer.end(9)
    assert list(parts()) == ["c-00001.jsonl"]


def test_a_single_file_is_packed_at_its_end(start, parts):
    """Packing needs no rotation."""
    writer = start(compress="gzip")
    writer.end(1)
    assert list(parts()) == ["c.jsonl.gz"]


def test_a_ring_of_packed_parts(start, parts):
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


def test_two_rotations_of_one_name_stay_apart(start, parts):
    """The second puts its process id before all of its numbers, also where the first has not come that far."""
    first, second = start(part_size="200"), start(part_size="200")
    for t in range(3):
        say(second, t, 150)
    say(first, 1, 150)
    say(first, 2, 150)
    assert [os.path.basename(one.path) for one in (first, second)] == ["c-00002.jsonl", "c-7-00003.jsonl"]


def test_names_are_made_when_a_part_begins(start, parts, tmp_path):
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


def test_a_part_that_cannot_be_begun_is_waited_for_in_the_last(start, parts, tmp_path):
    """Nothing is lost, the trouble is told, and a second later it is tried again."""
    blocked = tmp_path / "d"
    writer = start(lambda t: str(blocked / "c.jsonl") if t else str(tmp_path / "c.jsonl"), part_size="200")
    blocked.write_text("")
    for t in (1, 2, 2.5):
        say(writer, t, 150)
    first = str(tmp_path / "c-00001.jsonl")
    assert writer.trouble == f"the capture {first!r} is whole, but cannot begin its next part: Not a directory"
    blocked.unlink()
    say(writer, 2.9, 150)
    say(writer, 3.1, 150)
    writer.end(4)
    assert [[one["seq"] for one in records[1:]] for records in parts().values()] == [[1, 2, 3, 4], [5], [6]]


def test_a_full_disk_and_a_ring(start, parts, tmp_path, monkeypatch):
    """A header that does not fit is owed; the gap stands behind it once there is room."""
    writer = start(part_size="200")
    say(writer, 1, 150)
    write = os.write
    with monkeypatch.context() as patch:
        patch.setattr("os.write", lambda fd, data: (_ for _ in ()).throw(OSError(28, "full")))
        say(writer, 2, 150)
        say(writer, 3, 150)
    assert os.write is write
    say(writer, 4, 70)
    found = parts()
    assert [one["type"] for one in found["c-00002.jsonl"]] == ["capture", "gap"]
    assert (found["c-00002.jsonl"][1]["records"], found["c-00002.jsonl"][1]["seq"]) == (2, 4)


def test_a_file_that_was_deleted_is_begun_anew(start, parts, tmp_path):
    """What stood in it is told as a gap in the next part of that name; the record that finds out is kept."""
    writer = start()
    say(writer, 0.1, 100)
    say(writer, 0.2, 70)
    os.unlink(writer.path)
    say(writer, 0.9, 80)
    say(writer, 1.5, 90)
    writer.end(2)
    (records,) = parts().values()
    header, gap, text, end = records
    assert (header["part"], header["previous"]) == (2, "1")
    assert gap == {"type": "gap", "seq": 4, "t": 1.5, "records": 3, "bytes": 250, "why": "file-deleted"}
    assert (text["seq"], text["size"]) == (5, 90)
    assert (end["seq"], end["records"]) == (6, 4)
    assert writer.failed == "it was deleted"


def test_a_file_deleted_twice(start, parts):
    """The second gap tells what the first told, as that went with its file."""
    writer = start()
    for t in (1, 2):
        say(writer, t, 100)
        os.unlink(writer.path)
    writer.end(4)
    (records,) = parts().values()
    assert [(one["type"], one["seq"]) for one in records] == [("capture", 0), ("gap", 4), ("end", 5)]
    assert (records[1]["records"], records[1]["bytes"]) == (3, 200)
    assert records[2]["records"] == 3


def test_a_deletion_just_before_the_end_is_told(start, parts):
    """The end looks once more."""
    writer = start()
    say(writer, 0.1, 100)
    os.unlink(writer.path)
    writer.end(0.2)
    (records,) = parts().values()
    assert [one["type"] for one in records] == ["capture", "gap", "end"]


def test_a_file_deleted_where_none_can_be_made(start, parts, tmp_path):
    """Records are counted until one can."""
    folder = tmp_path / "d"
    writer = start(str(folder / "c.jsonl"))
    say(writer, 0.1, 100)
    os.unlink(writer.path)
    folder.rmdir()
    folder.write_text("")
    for t in (1.5, 2.0, 2.9):
        say(writer, t, 100)
    assert writer.failed == "Not a directory"
    folder.unlink()
    say(writer, 4, 100)
    writer.end(5)
    (records,) = parts().values()
    assert [(one["type"], one["seq"]) for one in records] == [("capture", 0), ("gap", 5), ("text", 6), ("end", 7)]
    assert (records[1]["records"], records[1]["bytes"]) == (4, 400)


def test_a_patient_writer_waits_for_a_place(parts, tmp_path):
    """It begins as soon as there can be a file, as the first part, with what came before as a gap."""
    folder = tmp_path / "d"
    folder.write_text("")
    writer = CaptureWriter(str(folder / "c.jsonl"), HEADER, pid=7, patient=True)
    assert (writer.opened, writer.failed) == (False, "Not a directory")
    say(writer, 0.5, 100)
    folder.unlink()
    say(writer, 1.5, 90)
    writer.end(2)
    (records,) = parts().values()
    assert [(one["type"], one["seq"]) for one in records] == [("capture", 0), ("gap", 2), ("text", 3), ("end", 4)]
    assert "part" not in records[0]
    assert (records[1]["records"], records[1]["bytes"], records[1]["why"]) == (1, 100, "write-error")


def test_a_renamed_folder_takes_the_file_along(start, parts, tmp_path):
    """Nothing is lost; the next part makes the folder anew."""
    writer = start(str(tmp_path / "d" / "c.jsonl"), part_size="200")
    say(writer, 1, 70)
    (tmp_path / "d").rename(tmp_path / "e")
    say(writer, 2.5, 70)
    say(writer, 3, 150)
    writer.end(4)
    assert [len(records) for records in parts().values()] == [2, 2, 2, 2]
    assert writer.trouble is None


def test_each_record_is_on_the_disk_before_the_next(start, monkeypatch):
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


def test_recording_does_not_wait_for_the_packer(start, monkeypatch, tmp_path):
    """While a part is being packed, records go on into the next."""
    go_on = threading.Event()
    monkeypatch.setattr("mcpsniff.capture.rotation.pack", lambda path, how: go_on.wait(20))
    writer = start(part_size="200", compress="gzip")
    for t in range(3):
        say(writer, t, 150)
    assert os.path.basename(writer.path) == "c-00003.jsonl"
    go_on.set()
    writer.end(4)
