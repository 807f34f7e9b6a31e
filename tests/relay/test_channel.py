"""The pipe and the memory of a channel, and what is put there."""

import os
import time

from mcpsniff.relay.channel import Channel, open_channel


class Chunks(Channel):
    """A channel whose chunks always find room."""

    def chunk(self, stream, data):
        assert self._offer(stream, data)


def test_the_bytes_of_a_head():
    """Kind, microseconds, length and end, little-endian; the payload lies in the memory, behind the end taken."""
    source, target, memory = open_channel()
    before = time.monotonic_ns() // 1000
    Chunks(target, memory, 0).chunk(0x0201, b"hello")
    head = os.read(source, 99)
    assert head[:4] == b"\x01\x02\x00\x00"
    assert before <= int.from_bytes(head[4:12], "little") <= time.monotonic_ns() // 1000
    assert head[12:] == b"\x05\x00\x00\x00" + b"\x05\x00\x00\x00\x00\x00\x00\x00"
    assert memory[:13] == bytes(8) + b"hello"
    os.close(source)
    os.close(target)


def test_the_pipe_is_not_inherited():
    """Both ends are closed in a program that is started."""
    for fd in open_channel()[:2]:
        assert not os.get_inheritable(fd)
        os.close(fd)
