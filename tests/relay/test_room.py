"""Payloads never lie on what waits to be taken, light traffic stays at the front, and a spill is given back."""

from collections import deque
from itertools import pairwise
from mmap import mmap

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcpsniff.relay import room as module
from mcpsniff.relay.room import TAKEN, Room

SIZE = 4000  # bytes; a quarter of it is the ring
STEPS = st.lists(st.tuples(st.sampled_from(["place", "take", "spill"]), st.integers(1, 700)), max_size=200)


class Memory:
    """A room, and what waits in its memory as the recorder would find it."""

    def __init__(self, size=SIZE):
        self.memory = mmap(-1, TAKEN + size)
        self.room = Room(self.memory)
        self.waiting = deque()  # where, and how many bytes
        self._taken = memoryview(self.memory)[:TAKEN].cast("Q")

    def place(self, size, spare=0):
        """Places so many bytes; where, or None."""
        at = self.room.place(size, spare)
        if at is not None:
            self.waiting.append((at, size))
        return at

    def take(self, count=1):
        """Takes the oldest payloads."""
        for _ in range(min(count, len(self.waiting))):
            self._taken[0] += self.waiting.popleft()[1]

    def do(self, what, size):
        """Places so many bytes, takes a payload, or spills."""
        if what == "place":
            self.place(size)
        elif what == "take":
            self.take()
        else:
            self.room.spill()


@given(STEPS)
def test_nothing_lies_on_what_waits(steps):
    """Whatever is placed, taken and spilled: all that waits lies apart and within the memory."""
    memory = Memory()
    for step in steps:
        memory.do(*step)
        pieces = sorted(memory.waiting)
        assert all(at + length <= after for (at, length), (after, _) in pairwise(pieces))
        assert all(at >= TAKEN and at + length <= TAKEN + SIZE for at, length in pieces)


@given(STEPS)
def test_once_all_is_taken_there_is_room_again(steps):
    """No row of steps leaves the ring unusable."""
    memory = Memory()
    for step in steps:
        memory.do(*step)
    memory.take(len(memory.waiting))
    assert memory.place(SIZE // 4) == TAKEN
    assert not memory.room.spilled


def test_a_recorder_that_keeps_up_leaves_the_traffic_in_the_ring():
    """Far more than the memory passes through its first quarter."""
    memory = Memory()
    for _ in range(500):
        assert memory.place(400) + 400 <= TAKEN + SIZE // 4
        assert memory.place(400) + 400 <= TAKEN + SIZE // 4
        memory.take(2)


def test_what_finds_no_room_in_the_ring_finds_it_in_the_rest():
    """Until what lies in the ring has been taken; then the ring is used again."""
    memory = Memory()
    assert memory.place(1000) == TAKEN
    assert memory.place(10) is None
    memory.room.spill()
    assert memory.place(10) == TAKEN + 1000
    memory.take()
    assert memory.place(10) == TAKEN
    assert not memory.room.spilled


def test_room_is_left_for_what_must_not_be_lost():
    """Bytes to spare are free behind a payload, and may be filled by another."""
    memory = Memory()
    assert memory.place(990, 20) is None
    assert memory.place(980, 20) == TAKEN
    assert memory.place(20) == TAKEN + 980


def test_what_is_taken_back_is_placed_anew():
    """As if it had not been there."""
    memory = Memory()
    memory.place(10)
    memory.room.place(20, 0)
    memory.room.take_back(20)
    assert memory.room.placed == 10
    assert memory.place(30) == TAKEN + 10


@pytest.mark.skipif(not hasattr(mmap, "madvise"), reason="the system takes no advice on memory")
def test_the_pages_of_the_rest_go_back_to_the_system(monkeypatch):
    """When what lay there has been taken they are read as zeros again."""
    monkeypatch.setattr(module, "RING", 8192)
    memory = Memory(1 << 20)
    memory.place(8000)
    memory.room.spill()
    at = memory.place(100_000)
    memory.memory[at : at + 100_000] = b"x" * 100_000
    memory.take(2)
    for _ in range(3):
        memory.place(3000)
        memory.take()
    assert memory.memory[at + 4096 : at + 100_000].strip(b"\0") == b""
