"""The pipe and the memory of a channel, and what is put there."""

import os
import sys
import threading
import time

import pytest

from mcpsniff.relay import channel as channel_module
from mcpsniff.relay import room as room_module
from mcpsniff.relay.channel import Channel, open_channel, widen
from mcpsniff.relay.intake import frames


class Chunks(Channel):
    """A channel whose chunks always find room."""

    def chunk(self, stream, data):
        assert self._offer(stream, data)


def test_the_bytes_of_a_head():
    """Kind, microseconds, length and place, 8 bytes each; the payload lies there, behind the count of bytes taken."""
    source, target, memory = open_channel()
    before = time.monotonic_ns() // 1000
    Chunks(target, memory, 0).chunk(0x0201, b"hello")
    head = os.read(source, 99)
    assert head[:8] == (0x0201).to_bytes(8, sys.byteorder)
    assert before <= int.from_bytes(head[8:16], sys.byteorder) <= time.monotonic_ns() // 1000
    assert head[16:] == (5).to_bytes(8, sys.byteorder) + (8).to_bytes(8, sys.byteorder)
    assert memory[:13] == bytes(8) + b"hello"
    os.close(source)
    os.close(target)


def test_a_flood_waits_for_a_recorder_that_gets_on(monkeypatch):
    """Ten times the ring passes through it, and all of it arrives."""
    monkeypatch.setattr(room_module, "RING", 100_000)
    monkeypatch.setattr(channel_module, "_PATIENCE", 60)
    monkeypatch.setattr(channel_module, "_PATIENCE_AT_FIRST", 60)
    source, target, memory = open_channel()
    channel, got = Chunks(target, memory, 0), []
    recorder = threading.Thread(target=lambda: got.extend(frames(source, memory)))
    recorder.start()
    for number in range(100):
        channel.chunk(number, b"x" * 10_000)
        assert not channel._room.spilled
    channel.close(1)
    recorder.join(60)
    assert [(kind, len(payload)) for kind, _, payload in got] == [(number, 10_000) for number in range(100)]
    os.close(source)


def test_a_flood_does_not_wait_for_a_recorder_that_stands_still(monkeypatch):
    """It goes on in the large rest, and there waits no more."""
    monkeypatch.setattr(room_module, "RING", 100_000)
    monkeypatch.setattr(channel_module, "_PATIENCE_AT_FIRST", 0.01)
    source, target, memory = open_channel()
    channel = Chunks(target, memory, 0)
    for _ in range(100):
        channel.chunk(1, b"x" * 10_000)
    assert channel._room.spilled
    os.close(target)
    assert sum(len(payload) for _, _, payload in frames(source, memory)) == 1_000_000
    os.close(source)


def test_the_pipe_is_not_inherited():
    """Both ends are closed in a program that is started."""
    for fd in open_channel()[:2]:
        assert not os.get_inheritable(fd)
        os.close(fd)


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a pipe is as wide as the system makes it")
def test_the_recorder_widens_the_pipe():
    """From its end: ten thousand heads find room then, where it was some two thousand."""
    source, target, _ = open_channel()
    os.set_blocking(target, False)
    widen(source)
    assert os.write(target, bytes(32 * 10_000)) == 32 * 10_000
    os.close(source)
    os.close(target)


def test_what_is_no_pipe_stays_as_it_is(tmp_path):
    """No error where the system knows no such thing."""
    with (tmp_path / "file").open("wb") as file:
        widen(file.fileno())
