"""A pump records before it passes on, waits for its target, and closes both ends when either is gone."""

import os
import threading

import pytest

from mcpsniff.wrap.feed import STDERR, STDIN, STDOUT
from mcpsniff.wrap.pump import Pump, shut


class Record:
    """A feed that notes what had already arrived at `target` when a chunk was recorded."""

    def __init__(self, target=None):
        self.target = target
        self.seen = []

    def chunk(self, stream, data):
        os.set_blocking(self.target, False)
        try:
            arrived = os.read(self.target, 99)
        except BlockingIOError:
            arrived = b""
        self.seen.append((stream, data, arrived))

    def tell(self, kind, payload):
        self.seen.append((kind, payload))


class Silent:
    """A feed that notes nothing."""

    def chunk(self, stream, data):
        pass

    tell = chunk


def test_a_chunk_is_recorded_before_it_is_passed_on(pipe):
    """When the feed gets a chunk the target has not; the end of the stream is recorded as well."""
    (source, writer), (reader, target) = pipe(), pipe()
    feed = Record(reader)
    pump = Pump(source, target, STDIN, feed)
    os.write(writer, b"one")
    os.close(writer)
    pump.start()
    assert pump.ended.acquire(timeout=10)
    assert feed.seen == [(STDIN, b"one", b""), (3, b"0")]
    assert os.read(reader, 99) == b"one"
    assert os.read(reader, 99) == b""
    assert (pump.moved, pump.holding) == (1, False)


def test_a_target_that_is_gone_closes_the_source(pipe):
    """Whoever writes on to the source gets a broken pipe; no end of the stream is recorded, as there was none."""
    (source, writer), (reader, target) = pipe(), pipe()
    os.close(reader)
    feed = Record(pipe()[0])
    pump = Pump(source, target, STDOUT, feed)
    os.write(writer, b"one")
    pump.start()
    assert pump.ended.acquire(timeout=10)
    with pytest.raises(BrokenPipeError):
        os.write(writer, b"two")
    assert feed.seen == [(STDOUT, b"one", b"")]


def test_ends_that_do_not_block_are_waited_for(pipe):
    """Whoever shares them with us may have set that; bytes come late, are taken in pieces, and all arrive."""
    (source, writer), (reader, target) = pipe(), pipe()
    os.set_blocking(source, False)
    os.set_blocking(target, False)
    data = bytes(range(256)) * 4096
    sender = threading.Thread(target=lambda: (os.write(writer, data), os.close(writer)))
    pump = Pump(source, target, STDIN, Silent())
    pump.start()
    sender.start()
    got = b""
    while piece := os.read(reader, 10_000):
        got += piece
    assert got == data
    assert pump.ended.acquire(timeout=60)
    sender.join()


def test_the_clients_stderr_stays_open(pipe):
    """The end of the server's stderr leaves ours open: wrap itself may have something to say."""
    (source, writer), (reader, target) = pipe(), pipe()
    os.close(writer)
    pump = Pump(source, target, STDERR, Record())
    pump.start()
    assert pump.ended.acquire(timeout=10)
    os.write(target, b"still")
    assert os.read(reader, 99) == b"still"


def test_waiting_says_whether_bytes_are_there(pipe):
    """What has not been read yet is no silence."""
    source, writer = pipe()
    pump = Pump(source, pipe()[1], STDOUT, Record())
    assert not pump.waiting()
    os.write(writer, b"x")
    assert pump.waiting()


def test_shut_ends_reading_and_fails_writing(pipe):
    """The number stays taken, reading finds the end, writing an error, and the other side the end of the pipe."""
    reader, writer = pipe()
    shut(writer)
    shut(writer)
    assert os.read(reader, 1) == b""
    assert os.read(writer, 1) == b""
    with pytest.raises(OSError, match="Bad file descriptor"):
        os.write(writer, b"x")
    assert not os.get_inheritable(writer)
