"""Captures are found: those there are, those to come, parts, restarts; what is none is refused once."""


def test_capture_that_comes_later_is_followed(tmp_path, growing, follower, told):
    """Nothing at first, then a header half written, then all."""
    one = follower(tmp_path)
    assert told(one.events()) == []
    (tmp_path / "a.jsonl").write_text("")
    assert told(one.events()) == []
    capture = growing(tmp_path / "a.jsonl")
    capture.ping(1)
    assert told(one.events())[:3] == ["Began", "0 session", "1 request"]


def test_several_captures_are_followed_at_once(tmp_path, growing, follower, told):
    """Each with its own sessions."""
    captures = [growing(tmp_path / f"{name}.jsonl", id=name) for name in "ab"]
    one = follower(tmp_path)
    assert told(one.events()) == ["Began", "0 session"] * 2
    for capture in captures:
        capture.ping(1)
    rows = [event for event in told(one.events()) if "era" not in event]
    assert rows == ["1 request", "2 result"] * 2


def test_what_had_ended_is_left_out_of_a_folder(tmp_path, growing, follower, told):
    """Whole captures, and all parts of one that has ended; not what is new after the first look."""
    growing(tmp_path / "old.jsonl", id="old").end()
    rotated = growing(tmp_path / "r-00001.jsonl", id="r", part=1)
    rotated.begin(tmp_path / "r-00002.jsonl", part=2, previous="r")
    rotated.end()
    growing(tmp_path / "live.jsonl", id="live")
    one = follower(tmp_path, past=False)
    assert told(one.events()) == ["Began", "0 session"]
    growing(tmp_path / "quick.jsonl", id="quick").end()
    assert told(one.events()) == ["Began", "0 session", "Ended"]


def test_next_part_is_found_by_its_name(tmp_path, growing, follower, told):
    """Where only the first part was named, the second is followed, too."""
    capture = growing(tmp_path / "a-00001.jsonl", part=1)
    one = follower(tmp_path, "a-00001.jsonl")
    told(one.events())
    capture.begin(tmp_path / "a-00002.jsonl", part=2, previous="c")
    capture.ping(1)
    assert told(one.events())[:2] == ["Began", "1 request"]


def test_next_part_is_found_where_its_name_has_a_time(tmp_path, growing, follower, told):
    """By its number and its header; the next part of another rotation is left alone."""
    capture = growing(tmp_path / "a-1007-00001.jsonl", part=1)
    growing(tmp_path / "b-1007-00002.jsonl", id="other", part=2, previous="other")
    one = follower(tmp_path, "a-1007-00001.jsonl")
    told(one.events())
    assert told(one.events()) == []
    capture.begin(tmp_path / "a-1008-00002.jsonl", part=2, previous="c")
    capture.ping(1)
    assert told(one.events())[:2] == ["Began", "1 request"]


def test_recorder_that_starts_again_is_followed(tmp_path, growing, follower, told):
    """Another capture under the same name is another capture."""
    growing(tmp_path / "a.jsonl", id="first")
    one = follower(tmp_path)
    assert told(one.events()) == ["Began", "0 session"]
    (tmp_path / "a.jsonl").rename(tmp_path / "kept")  # or the new file might get the old one's inode
    growing(tmp_path / "a.jsonl", id="second")
    assert told(one.events()) == ["Began", "0 session"]


def test_capture_goes_on_where_its_file_was_deleted(tmp_path, growing, follower, told):
    """The next part under the same name is the same capture; what stood in the file is read all the same."""
    capture = growing(tmp_path / "a.jsonl")
    one = follower(tmp_path)
    told(one.events())
    capture.ping(1)
    (tmp_path / "a.jsonl").rename(tmp_path / "gone")
    capture.begin(tmp_path / "a.jsonl", part=2, previous="c")
    capture.ping(2)
    rows = [event for event in told(one.events()) if "era" not in event]
    assert rows == ["Began", "1 request", "2 result", "3 request", "4 result"]


def test_other_files_are_refused_once(tmp_path, follower, told):
    """In one sentence."""
    (tmp_path / "x.jsonl").write_text("{}\n")
    one = follower(tmp_path)
    assert told(one.events()) == ["Refused"]
    assert told(one.events()) == []


def test_finish_ends_all(tmp_path, growing, follower, told):
    """Every capture that had not ended."""
    for name in "ab":
        growing(tmp_path / f"{name}.jsonl", id=name)
    one = follower(tmp_path)
    told(one.events())
    assert told(one.finish()) == ["Ended", "Ended"]
