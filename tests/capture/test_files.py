"""From one file of a capture to the next, also where one is gone or cannot be made."""

import os

from mcpsniff.wire.lines import LineFramer


def test_after_the_end_no_part_is_begun(say, start, parts):
    """A late record is lost, and a second end changes nothing."""
    writer = start(part_size="200")
    writer.end(1)
    say(writer, 5, 150)
    writer.end(9)
    assert list(parts()) == ["c-00001.jsonl"]


def test_a_part_that_cannot_be_begun_is_waited_for_in_the_last(say, start, parts, tmp_path):
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


def test_a_full_disk_and_a_ring(say, start, parts, tmp_path, monkeypatch):
    """A header that does not fit is owed; the gap stands behind it once there is room."""
    writer = start(part_size="200")
    say(writer, 1, 150)
    with monkeypatch.context() as patch:
        patch.setattr("os.write", lambda fd, data: (_ for _ in ()).throw(OSError(28, "full")))
        say(writer, 2, 150)
        say(writer, 3, 150)
    say(writer, 4, 70)
    found = parts()
    assert [one["type"] for one in found["c-00002.jsonl"]] == ["capture", "gap"]
    assert (found["c-00002.jsonl"][1]["records"], found["c-00002.jsonl"][1]["seq"]) == (2, 4)


def test_long_records_and_their_neighbours(start, parts, monkeypatch):
    """Each of the three goes where it belongs: one in pieces into a part of its own, as it is too large for any."""
    monkeypatch.setattr("mcpsniff.capture.encode.LONG", 1000)
    writer = start(part_size="500")
    writer.add_lines("client", LineFramer().feed(b"1\n[%s]\n2\n" % (b" " * 1500), 1.0))
    writer.end(2)
    found = [[(one["type"], one.get("size")) for one in records[1:]] for records in parts().values()]
    assert found == [[("message", 2)], [("message", 1503)], [("message", 2), ("end", None)]]


def test_a_long_record_that_finds_no_room(start, parts, monkeypatch):
    """Nothing of it stays, and the gap tells of it and of its neighbour behind it."""
    monkeypatch.setattr("mcpsniff.capture.encode.LONG", 1000)
    writer, write = start(), os.write
    with monkeypatch.context() as patch:
        patch.setattr("os.write", lambda fd, data: write(fd, data) if len(data) < 1000 else fail(fd, data))
        writer.add_lines("client", LineFramer().feed(b"1\n[%s]\n2\n" % (b" " * 1500), 1.0))
    writer.end(2)
    (records,) = parts().values()
    assert [(one["type"], one["seq"]) for one in records] == [("capture", 0), ("message", 1), ("gap", 4), ("end", 5)]
    assert (records[2]["records"], records[2]["bytes"]) == (2, 1505)


def fail(fd, data):
    """A disk without room."""
    raise OSError(28, "full")


def test_a_file_that_was_deleted_is_begun_anew(say, start, parts, tmp_path):
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


def test_a_file_deleted_twice(say, start, parts):
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


def test_a_deletion_just_before_the_end_is_told(say, start, parts):
    """The end looks once more."""
    writer = start()
    say(writer, 0.1, 100)
    os.unlink(writer.path)
    writer.end(0.2)
    (records,) = parts().values()
    assert [one["type"] for one in records] == ["capture", "gap", "end"]


def test_a_file_deleted_where_none_can_be_made(say, start, parts, tmp_path):
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


def test_a_patient_writer_waits_for_a_place(say, start, parts, tmp_path):
    """It begins as soon as there can be a file, as the first part, with what came before as a gap."""
    folder = tmp_path / "d"
    folder.write_text("")
    writer = start(str(folder / "c.jsonl"), patient=True)
    assert (writer.opened, writer.failed) == (False, "Not a directory")
    say(writer, 0.5, 100)
    folder.unlink()
    say(writer, 1.5, 90)
    writer.end(2)
    (records,) = parts().values()
    assert [(one["type"], one["seq"]) for one in records] == [("capture", 0), ("gap", 2), ("text", 3), ("end", 4)]
    assert "part" not in records[0]
    assert (records[1]["records"], records[1]["bytes"], records[1]["why"]) == (1, 100, "write-error")


def test_a_renamed_folder_takes_the_file_along(say, start, parts, tmp_path):
    """Nothing is lost; the next part makes the folder anew."""
    writer = start(str(tmp_path / "d" / "c.jsonl"), part_size="200")
    say(writer, 1, 70)
    (tmp_path / "d").rename(tmp_path / "e")
    say(writer, 2.5, 70)
    say(writer, 3, 150)
    writer.end(4)
    assert [len(records) for records in parts().values()] == [2, 2, 2, 2]
    assert writer.trouble is None
