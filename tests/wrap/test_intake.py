"""Frames come out of the recorder's end of the pipe whole, however they were cut, and the pipe is emptied early."""

import os

from hypothesis import given
from hypothesis import strategies as st

from mcpsniff.wrap import intake as intake_module
from mcpsniff.wrap.intake import Intake


def frame(kind, micros, payload):
    """The bytes of a frame, spelled out."""
    return bytes([kind]) + micros.to_bytes(8, "little") + len(payload).to_bytes(4, "little") + payload


@given(st.lists(st.tuples(st.integers(0, 8), st.integers(0, 2**40), st.binary(max_size=40)), max_size=9), st.data())
def test_any_cut_gives_the_same_frames(frames, data):
    """Frames are put together again from blocks of any size; a torn last one is dropped."""
    stream = b"".join(frame(*one) for one in frames) + frame(0, 0, b"torn")[:-1]
    cuts = sorted(data.draw(st.lists(st.integers(0, len(stream)), max_size=6)))
    source, target = os.pipe()
    got = []
    intake = Intake(source)
    for start, end in zip([0, *cuts], [*cuts, len(stream)], strict=True):
        os.write(target, stream[start:end])
        intake._empty_pipe()
    os.close(target)
    got = list(intake)
    os.close(source)
    assert got == [(kind, micros / 1e6, payload) for kind, micros, payload in frames]


def test_the_pipe_is_emptied_before_a_frame_is_handed_on(pipe):
    """While the first frame is worked on, the others have left the pipe: they survive their writer."""
    source, target = pipe()
    os.write(target, frame(0, 1, b"one") + frame(1, 2, b"two"))
    frames = iter(Intake(source))
    assert next(frames) == (0, 1e-6, b"one")
    os.set_blocking(target, False)
    assert os.write(target, b"x" * 65536) == 65536
    assert next(frames) == (1, 2e-6, b"two")


def test_memory_is_bounded(pipe, monkeypatch):
    """With the memory full the pipe is left alone until frames have been handed on."""
    monkeypatch.setattr(intake_module, "LIMIT", 10)
    monkeypatch.setattr(intake_module, "_BLOCK", 20)
    monkeypatch.setattr(intake_module, "_TURN", 1)
    source, target = pipe()
    for number in range(50):
        os.write(target, frame(0, number, b"1234567"))
    intake = Intake(source)
    frames = iter(intake)
    held = []
    for _ in range(50):
        next(frames)
        held.append(intake._held)
    assert max(held) <= 10 + 20
