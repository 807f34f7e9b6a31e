"""The recorder's end of the channel: takes frames out of the shared memory, one by one, until the sender is gone."""

import os
from collections.abc import Iterator
from mmap import mmap

from mcpsniff.relay.channel import HEAD, TAKEN

Frame = tuple[int, float, bytes]  # kind, seconds since the start, payload

_HEADS = HEAD * 43_000  # bytes read at once; heads are written whole, so whole ones are read


def frames(fd: int, memory: mmap) -> Iterator[Frame]:
    """The frames that come, up to the end of the pipe; the room of each is given back before it is handed on."""
    room = len(memory) - TAKEN
    while heads := os.read(fd, _HEADS):
        for at in range(0, len(heads), HEAD):
            size = int.from_bytes(heads[at + 12 : at + 16], "little")
            end = heads[at + 16 : at + HEAD]
            start = TAKEN + (int.from_bytes(end, "little") - size) % room
            payload = memory[start : start + size]
            memory[:TAKEN] = end
            kind = int.from_bytes(heads[at : at + 4], "little")
            yield kind, int.from_bytes(heads[at + 4 : at + 12], "little") / 1e6, payload
