"""The shim's end of the pipe never waits, keeps the order, and counts what it must drop."""

import os
import time
from itertools import islice

import pytest

from mcpsniff.wrap import channel as channel_module
from mcpsniff.wrap.channel import END, EOF, GAP, STDERR, STDIN, STDOUT, Feed, open_channel
from mcpsniff.wrap.intake import Intake


def test_the_bytes_of_a_frame(channel):
    """Kind, microseconds and length stand before the payload, little-endian."""
    feed, source = channel
    before = time.monotonic_ns() // 1000
    feed.chunk(STDOUT, b"hello")
    frame = os.read(source, 99)
    assert frame[:1] == b"\x01"
    assert before <= int.from_bytes(frame[1:9], "little") <= time.monotonic_ns() // 1000
    assert frame[9:] == b"\x05\x00\x00\x00hello"


def test_frames_arrive_in_the_order_of_the_calls(channel):
    """Chunks of all streams and the other frames keep one order, and times never go back."""
    feed, source = channel
    feed.chunk(STDIN, b"question")
    feed.chunk(STDERR, b"thinking")
    feed.chunk(STDOUT, b"answer")
    feed.tell(EOF, b"0")
    feed.tell(END)
    feed.close(1)
    frames = list(Intake(source))
    assert [(kind, data) for kind, _, data in frames] == [
        (STDIN, b"question"),
        (STDERR, b"thinking"),
        (STDOUT, b"answer"),
        (EOF, b"0"),
        (END, b""),
    ]
    assert [t for _, t, _ in frames] == sorted(t for _, t, _ in frames)


def test_nothing_waits_for_a_reader_that_stands_still(channel):
    """Megabytes beyond what the pipe takes are kept in memory and arrive when the reader goes on."""
    feed, source = channel
    chunks = [b"%d\n" % number * 10_000 for number in range(200)]
    for chunk in chunks:
        feed.chunk(STDOUT, chunk)
    feed.tell(END)
    assert [data for _, _, data in islice(Intake(source), 201)] == [*chunks, b""]


@pytest.fixture
def small(monkeypatch):
    """A memory of 1000 bytes."""
    monkeypatch.setattr(channel_module, "LIMIT", 1000)


def filled(feed):
    """Fills the pipe and the memory of `feed` with the lines of stderr."""
    filler = b"e" * 65535 + b"\n"
    for _ in range(3):
        feed.chunk(STDERR, filler)


def test_beyond_the_limit_whole_lines_are_lost_and_counted(small, channel):
    """A stream with losses goes on at a line start, after a GAP frame with the lines and bytes that are missing."""
    feed, source = channel
    filled(feed)
    feed.chunk(STDOUT, b"lost\nhalf ")
    frames = Intake(source)
    assert {kind for kind, _, _ in islice(frames, 2)} == {STDERR}
    feed.chunk(STDOUT, b"line\nwhole\n")
    feed.chunk(STDOUT, b"more\n")
    feed.close(1)
    rest = [(kind, data) for kind, _, data in frames]
    lost = len(b"lost\nhalf line\n")
    assert [one for one in rest if one[0] != STDERR] == [
        (GAP, b"1 2 %d" % lost),
        (STDOUT, b"whole\n"),
        (STDOUT, b"more\n"),
    ]


def test_a_control_frame_is_never_lost_and_tells_of_losses_first(small, channel):
    """The end of a stream comes through a full memory, behind the GAP of what went before it."""
    feed, source = channel
    filled(feed)
    feed.chunk(STDOUT, b"lost")
    feed.tell(EOF, b"1")
    feed.tell(END)
    kinds = []
    for kind, _, data in Intake(source):
        kinds.append((kind, data))
        if kind == END:
            break
    assert kinds[-4:] == [(GAP, b"1 0 4"), (GAP, b"2 1 65536"), (EOF, b"1"), (END, b"")]


def test_a_reader_that_is_gone_does_no_harm(pipe):
    """Frames for nobody are dropped without a word, those in memory as well."""
    source, target = pipe()
    feed = Feed(target, 0)
    for _ in range(4):
        feed.chunk(STDOUT, b"x" * 65536)
    os.close(source)
    feed.chunk(STDOUT, b"x")
    feed.tell(END)
    feed.close(10)
    with pytest.raises(OSError, match="Bad file descriptor"):
        os.fstat(target)


def test_closing_gives_up_after_its_time(channel):
    """A reader that stands still does not hold the end of wrap."""
    feed, _ = channel
    filled(feed)
    started = time.monotonic()
    feed.close(0.05)
    assert 0.05 <= time.monotonic() - started < 5


def test_no_end_of_the_channel_is_inherited():
    """Both ends are closed in a program that is started."""
    for fd in open_channel():
        assert not os.get_inheritable(fd)
        os.close(fd)
