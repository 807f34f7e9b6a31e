"""The recorder's end of the channel: takes frames out of the shared memory, one by one, until the sender is gone."""

import os
import time
from collections.abc import Iterator
from mmap import mmap

from mcpsniff.relay.channel import HEAD
from mcpsniff.relay.room import TAKEN

Frame = tuple[int, float, bytes]  # kind, seconds since the start, payload

_HEADS = HEAD * 2_000  # bytes read at once; heads are written whole, so whole ones are read
_LIGHT = 1 << 18  # bytes of payload: with less at once the traffic is light
_NAP = 0.001  # seconds: to be woken for each frame would cost the sender more than the frame


def frames(fd: int, memory: mmap) -> Iterator[Frame]:
    """The frames that come, up to the end of the pipe; the room of each is given back before it is handed on."""
    taken = memoryview(memory)[:TAKEN].cast("Q")
    heads = memoryview(bytearray(_HEADS))  # read into again and again: new ones would wander through the heap
    while count := os.readv(fd, [heads]):
        before = taken[0]
        numbers = iter(heads[:count].cast("Q").tolist())
        for kind, micros, size, at in zip(numbers, numbers, numbers, numbers, strict=True):
            payload = memory[at : at + size]
            taken[0] += size
            yield kind, micros / 1e6, payload
        if taken[0] - before < _LIGHT:
            time.sleep(_NAP)
