"""Frames come out of the shared memory, and their room is given back."""

import os
from mmap import mmap

from mcpsniff.relay.intake import frames


def head(kind, micros, size, end):
    """The bytes of a head, spelled out."""
    return (
        kind.to_bytes(4, "little")
        + micros.to_bytes(8, "little")
        + size.to_bytes(4, "little")
        + end.to_bytes(8, "little")
    )


def test_payloads_are_found_by_their_ends(pipe):
    """An end beyond the room wraps around it; times are seconds."""
    source, target = pipe()
    memory = mmap(-1, 8 + 100)
    memory[8:13] = b"first"
    memory[103:108] = b"last!"
    os.write(target, head(0, 1_500_000, 5, 5) + head(0x0207, 2_000_000, 5, 300) + head(8, 2_000_001, 0, 300))
    os.close(target)
    assert list(frames(source, memory)) == [(0, 1.5, b"first"), (0x0207, 2.0, b"last!"), (8, 2.000001, b"")]


def test_room_is_given_back_before_a_frame_is_handed_on(pipe):
    """The first bytes of the memory say up to where the payloads have been taken."""
    source, target = pipe()
    memory = mmap(-1, 8 + 100)
    os.write(target, head(0, 0, 5, 5) + head(0, 0, 5, 10))
    out = frames(source, memory)
    next(out)
    assert memory[:8] == (5).to_bytes(8, "little")
    next(out)
    assert memory[:8] == (10).to_bytes(8, "little")
