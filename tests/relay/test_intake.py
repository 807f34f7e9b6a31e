"""Frames come out of the shared memory, and their room is given back."""

import os
import sys
from mmap import mmap

from mcpsniff.relay import intake
from mcpsniff.relay.intake import frames


def head(kind, micros, size, at):
    """The bytes of a head, spelled out."""
    return b"".join(number.to_bytes(8, sys.byteorder) for number in (kind, micros, size, at))


def test_payloads_are_found_where_their_heads_say(pipe):
    """Wherever that is in the memory; times are seconds."""
    source, target = pipe()
    memory = mmap(-1, 8 + 100)
    memory[8:13] = b"first"
    memory[103:108] = b"last!"
    os.write(target, head(0, 1_500_000, 5, 8) + head(0x0207, 2_000_000, 5, 103) + head(8, 2_000_001, 0, 108))
    os.close(target)
    assert list(frames(source, memory)) == [(0, 1.5, b"first"), (0x0207, 2.0, b"last!"), (8, 2.000001, b"")]


def test_room_is_given_back_before_a_frame_is_handed_on(pipe):
    """The first bytes of the memory count the payload bytes that have been taken."""
    source, target = pipe()
    memory = mmap(-1, 8 + 100)
    os.write(target, head(0, 0, 5, 8) + head(0, 0, 5, 13))
    out = frames(source, memory)
    next(out)
    assert memory[:8] == (5).to_bytes(8, sys.byteorder)
    next(out)
    assert memory[:8] == (10).to_bytes(8, sys.byteorder)


def test_more_heads_than_are_read_at_once(pipe, monkeypatch):
    """All frames come, in their order, however many reads that takes."""
    monkeypatch.setattr(intake, "_HEADS", 32 * 3)
    source, target = pipe()
    memory = mmap(-1, 8 + 100)
    memory[8:108] = bytes(range(100))
    os.write(target, b"".join(head(kind, 0, 1, 8 + kind) for kind in range(100)))
    os.close(target)
    assert [(kind, payload) for kind, _, payload in frames(source, memory)] == [(i, bytes([i])) for i in range(100)]
