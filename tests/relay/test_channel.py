"""The pipe and the memory of a channel, and what is put there."""

import os
import sys
import time

from mcpsniff.relay.channel import Channel, open_channel


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


def test_the_pipe_is_not_inherited():
    """Both ends are closed in a program that is started."""
    for fd in open_channel()[:2]:
        assert not os.get_inheritable(fd)
        os.close(fd)
