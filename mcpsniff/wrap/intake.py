"""The recorder's end of the pipe from the shim: takes frames out as fast as they come, hands them on one by one.

What has been taken survives the shim, even a SIGKILL; so before it hands a frame on, the intake empties the pipe
into memory, up to LIMIT. Beyond that the pipe fills, and the shim keeps and at last counts what is lost.
"""

import os
from collections import deque
from collections.abc import Iterator
from select import POLLIN, poll

from mcpsniff.wrap.channel import HEAD, LIMIT

Frame = tuple[int, float, bytes]  # kind, seconds since the start, payload

_BLOCK = 1 << 20  # bytes read at once
_TURN = 1 << 16  # bytes handed on before the pipe is looked at again


class Intake:
    """Iterates over the frames of a pipe until its write end is closed."""

    def __init__(self, fd: int):
        os.set_blocking(fd, False)
        self._fd = fd
        self._frames: deque[Frame] = deque()
        self._held = 0  # bytes of payload in frames
        self._rest = b""  # start of a frame that has not come whole
        self._ended = False

    def __iter__(self) -> Iterator[Frame]:
        some = poll()
        some.register(self._fd, POLLIN)
        while True:
            self._empty_pipe()
            yield from self._hand_on(_TURN)
            if not self._frames:
                if self._ended:
                    return
                some.poll()

    def _hand_on(self, size: int) -> Iterator[Frame]:
        while self._frames and size > 0:
            frame = self._frames.popleft()
            taken = HEAD + len(frame[2])
            self._held -= taken
            size -= taken
            yield frame

    def _empty_pipe(self) -> None:
        while not self._ended and self._held < LIMIT:
            try:
                block = os.read(self._fd, _BLOCK)
            except BlockingIOError:
                return
            self._ended = not block
            self._cut(self._rest + block)

    def _cut(self, data: bytes) -> None:
        at = 0
        while at + HEAD <= len(data):
            start = at + HEAD
            end = start + int.from_bytes(data[at + 9 : start], "little")
            if end > len(data):
                break
            t = int.from_bytes(data[at + 1 : at + 9], "little") / 1e6
            self._frames.append((data[at], t, data[start:end]))
            self._held += end - at
            at = end
        self._rest = data[at:]
