"""One capture that is followed: its rows and findings in the order in which they can be known."""

from pathlib import Path

from mcpsniff.live.tail import header_of

ROOT = Path(__file__).parents[2]


def test_rows_come_with_what_is_found_of_them(tmp_path, growing, followed, told):
    """Noise has its finding in its own row; nothing comes twice."""
    capture = growing(tmp_path / "a.jsonl")
    one = followed(capture.path)
    assert told(one.events()) == ["Began", "0 session"]
    capture.ping(1)
    capture.noise("Starting")
    events = told(one.events())
    assert [event for event in events if "session" not in event and "era" not in event] == [
        "1 request",
        "2 result",
        "3 noise !stdout-noise",
    ]
    assert told(one.events()) == []


def test_what_only_the_end_shows_comes_then(tmp_path, followed, told):
    """Requests that are never answered are told of when the capture ends, by the records of their rows."""
    sample = (ROOT / "samples/rules/unanswered-request/bad-2025-06-18-two-of-them.jsonl").read_text()
    path = tmp_path / "a.jsonl"
    path.write_text("".join(line for line in sample.splitlines(True) if '"type":"end"' not in line))
    one = followed(path)
    assert not any("unanswered" in event for event in told(one.events()))
    with path.open("a") as file:
        file.write('{"type":"end","seq":11,"t":63,"records":12}\n')
    assert [event for event in told(one.events()) if "found" in event] == [
        "4 found unanswered-request",
        "5 found unanswered-request",
    ]
    assert one.over


def test_parts_are_one_capture(tmp_path, growing, followed, told):
    """The next part goes on where the last ended, after what was still written to that; its header is no record."""
    capture = growing(tmp_path / "a-00001.jsonl", part=1)
    one = followed(capture.path)
    capture.ping(1)
    second = tmp_path / "a-00002.jsonl"
    capture.begin(second, part=2, previous="c")
    one.goes_on(str(second), header_of(str(second)))
    capture.ping(2)
    capture.end()
    rows = [event for event in told(one.events()) if event[0].isdigit() and "era" not in event]
    assert rows == ["0 session", "1 request", "2 result", "3 request", "4 result"]
    assert one.over


def test_part_that_was_there_before_is_left_out(tmp_path, growing, followed, told):
    """A packed copy of a part is no further one."""
    capture = growing(tmp_path / "a-00001.jsonl", part=1)
    one = followed(capture.path)
    told(one.events())
    one.goes_on(str(capture.path), header_of(str(capture.path)))
    assert told(one.events()) == []


def test_damaged_line_is_a_loss(tmp_path, growing, followed, told):
    """The rest is followed, and absence proves nothing any more."""
    capture = growing(tmp_path / "a.jsonl")
    capture.write("oops\n")
    capture.ping(1)
    one = followed(capture.path)
    assert "2 result" in told(one.events())
    (ended,) = one.finish()
    assert ended.result.sessions[0].session.holes == 1
