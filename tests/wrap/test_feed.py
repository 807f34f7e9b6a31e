"""Frames never wait and keep the order; what finds no room is lost by whole lines, counted, and told."""

import os
import threading
import time
from itertools import islice

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mcpsniff.relay import channel as channel_module
from mcpsniff.relay import room as room_module
from mcpsniff.wrap.feed import END, EOF, GAP, STDERR, STDIN, STDOUT

LINE = b"e" * 499 + b"\n"


def bare(got):
    """Frames without their times."""
    return [(kind, data) for kind, _, data in got]


def test_frames_arrive_in_the_order_of_the_calls(channel):
    """Chunks of all streams and the other frames keep one order, and times never go back."""
    feed, out, _ = channel()
    feed.chunk(STDIN, b"question")
    feed.chunk(STDERR, b"thinking")
    feed.chunk(STDOUT, b"answer")
    feed.tell(EOF, b"0")
    feed.tell(END)
    feed.close(1)
    got = list(out)
    assert bare(got) == [
        (STDIN, b"question"),
        (STDERR, b"thinking"),
        (STDOUT, b"answer"),
        (EOF, b"0"),
        (END, b""),
    ]
    assert [t for _, t, _ in got] == sorted(t for _, t, _ in got)


def test_nothing_waits_for_a_recorder_that_stands_still(channel):
    """Many megabytes lie in the memory, and arrive when the recorder goes on, even if the shim is gone by then."""
    feed, out, _ = channel()
    chunks = [b"%d\n" % number * 10_000 for number in range(500)]
    for chunk in chunks:
        feed.chunk(STDOUT, chunk)
    os.close(feed._fd)  # as SIGKILL would
    assert [data for _, _, data in out] == chunks


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(st.booleans(), st.binary(min_size=1, max_size=900)), max_size=60))
def test_any_reading_and_writing_in_turn_gives_the_same_bytes(small_channel, channel, steps):
    """Around the end of the memory and through losses: what arrives, and what is told as lost, is what was sent."""
    feed, out, _ = channel()
    sent = lost = 0
    got = []
    for read, data in steps:
        feed.chunk(STDOUT, data)
        sent += len(data)
        if read and feed._behind():
            got.append(next(out))
    feed.tell(END)
    feed.close(1)
    got.extend(out)
    arrived = b"".join(data for kind, _, data in got if kind == STDOUT)
    lost = sum(int(data.split()[2]) for kind, _, data in got if kind == GAP)
    assert len(arrived) + lost == sent
    assert got[-1][0] == END
    if not lost:
        assert arrived == b"".join(data for _, data in steps)


def test_closing_waits_for_room_in_the_pipe(channel):
    """With the pipe full of heads what is left to tell goes out when the recorder takes some."""
    feed, out, _ = channel()
    while not feed._torn[STDOUT]:
        feed.chunk(STDOUT, b"\n")
    feed.tell(END)
    got = []
    recorder = threading.Thread(target=lambda: got.extend(out))
    recorder.start()
    feed.close(20)
    recorder.join(20)
    assert bare(got)[-2:] == [(GAP, b"1 1 1"), (END, b"")]


def test_a_recorder_that_is_gone_does_no_harm(channel):
    """Frames for nobody are dropped without a word or a wait."""
    feed, _, source = channel()
    os.close(source)
    for _ in range(3000):
        feed.chunk(STDOUT, b"x" * 65536)
    feed.tell(END)
    started = time.monotonic()
    feed.close(60)
    assert time.monotonic() - started < 30


def test_closing_gives_up_after_its_time(small_channel, channel):
    """A recorder that stands still does not hold the end of wrap."""
    feed, _, _ = channel()
    for _ in range(9):
        feed.chunk(STDERR, LINE)
    feed.tell(END, b"x" * 300)
    started = time.monotonic()
    feed.close(0.05)
    assert 0.05 <= time.monotonic() - started < 5


def test_light_traffic_stays_at_the_front(channel):
    """While the recorder keeps up, megabytes pass through the same few pages."""
    feed, out, _ = channel()
    for _ in range(100):
        feed.chunk(STDOUT, b"x" * 60_000)
        next(out)
    assert feed._memory[8 + room_module.RING // 16 :].strip(b"\0") == b""


def test_a_system_that_grants_little_memory(channel, monkeypatch):
    """Where the full room is refused, the channel works with a little one."""
    monkeypatch.setattr(channel_module, "ROOM", 1 << 62)
    feed, out, _ = channel()
    assert len(feed._memory) == 8 + (1 << 20)
    for _ in range(40):
        feed.chunk(STDOUT, b"x" * 60_000)
        next(out)
    feed.close(1)
    assert feed._lost == [[0, 0], [0, 0], [0, 0]]


def test_beyond_the_room_whole_lines_are_lost_and_counted(small_channel, channel):
    """A stream with losses goes on at a line start, after a GAP frame with the lines and bytes that are missing."""
    feed, out, _ = channel()
    for _ in range(8):
        feed.chunk(STDERR, LINE)
    feed.chunk(STDOUT, b"lost\nhalf ")
    assert bare(islice(out, 8)) == [(STDERR, LINE)] * 8
    feed.chunk(STDOUT, b"line\nwhole\n")
    feed.chunk(STDOUT, b"more\n")
    feed.close(1)
    assert bare(out) == [
        (GAP, b"1 2 %d" % len(b"lost\nhalf line\n")),
        (STDOUT, b"whole\n"),
        (STDOUT, b"more\n"),
    ]


def test_a_stream_stays_lost_until_half_of_the_room_is_free(small_channel, channel):
    """A little room makes no gap after every line: the loss goes on until there is much."""
    feed, out, _ = channel()
    for _ in range(9):
        feed.chunk(STDERR, LINE)
    next(out)
    feed.chunk(STDERR, b"\nno\n")
    assert bare(islice(out, 7)) == [(STDERR, LINE)] * 7
    feed.chunk(STDERR, b"\nyes\n")
    feed.close(1)
    assert bare(out) == [(GAP, b"2 4 %d" % (500 + 4 + 1)), (STDERR, b"yes\n")]


def test_a_control_frame_is_never_lost_and_tells_of_losses_first(small_channel, channel):
    """The end of a stream comes through full memory, behind the GAP of what went before it."""
    feed, out, _ = channel()
    for _ in range(9):
        feed.chunk(STDERR, LINE)
    feed.chunk(STDOUT, b"lost")
    feed.tell(EOF, b"1")
    feed.tell(END)
    feed.close(1)
    assert bare(out)[8:] == [(GAP, b"1 0 4"), (GAP, b"2 1 500"), (EOF, b"1"), (END, b"")]
