"""To the recorder: payloads lie in memory that both processes share, and a pipe carries their heads.

A head is four numbers of 8 bytes: kind, time (microseconds since the start), length, and where the payload lies.
Promises: frames arrive in the order of the calls; what a call has put there survives the process that called, even a
SIGKILL; a call may wait for a recorder that is behind, but not for one that stands still.
"""

import _thread
import os
import time

from mcpsniff.relay.room import TAKEN, Room

TYPE_CHECKING = False  # typing itself would have to be imported
if TYPE_CHECKING:
    from mmap import mmap

HEAD = 32  # bytes
ROOM = 128 << 20  # bytes for payloads
_LITTLE = 1 << 20  # bytes for them where the system does not grant that much
_SPARE = 4096  # bytes of them that only control frames may fill
_PIPE_SIZE = 1 << 20  # bytes, what Linux grants without privileges: 32 000 heads
_PATIENCE = 0.05  # seconds that a recorder may stand still while a chunk waits for room
_PATIENCE_AT_FIRST = 0.5  # seconds, while it starts
_STEP = 0.0002  # seconds between two looks


def open_channel() -> "tuple[int, int, mmap]":
    """A new pipe (read end, write end), not inherited, and its memory."""
    from mmap import mmap

    source, target = os.pipe()
    try:
        return source, target, mmap(-1, TAKEN + ROOM)
    except OSError:
        return source, target, mmap(-1, TAKEN + _LITTLE)


def widen(fd: int) -> None:
    """Widens the pipe where the system lets us; for the recorder, so that the sender need not import what it takes."""
    try:
        from fcntl import F_SETPIPE_SZ, fcntl

        fcntl(fd, F_SETPIPE_SZ, _PIPE_SIZE)
    except (ImportError, OSError):
        pass  # it stays as wide as the system made it


class Channel:
    """The sender's end; safe to use from several threads. Time zero is `start` (monotonic ns).

    What becomes of bytes that find no room is for the subclass to say.
    """

    def __init__(self, fd: int, memory: "mmap", start: int):
        os.set_blocking(fd, False)
        self._fd = fd
        self._memory = memory
        self._room = Room(memory)
        self._start = start
        self._head = memoryview(bytearray(HEAD)).cast("Q")
        self._lock = _thread.allocate_lock()
        self._dead = False  # nobody takes frames any more
        self._waiting: list[tuple[int, bytes]] = []  # control frames that found no room

    def chunk(self, stream: int, data: bytes) -> None:
        """Sends what was read from a stream."""
        raise NotImplementedError

    def tell(self, kind: int, payload: bytes = b"") -> None:
        """Sends a frame that is never lost: an end, a signal, an exit."""
        with self._lock:
            self._tell_losses(kind)
            self._waiting.append((kind, payload))
            self._settle()

    def close(self, timeout: float) -> None:
        """Closes the pipe; waits at most `timeout` seconds for room for the control frames that are left."""
        deadline = time.monotonic() + timeout
        with self._lock:
            while not self._settle() and time.monotonic() < deadline:
                time.sleep(0.001)
            self._dead = True
            os.close(self._fd)

    def _offer(self, stream: int, data: bytes) -> bool:
        """Sends a chunk behind the control frames that wait; False where there is no room for it."""
        if self._waiting and not self._settle():
            return False
        return self._send(stream, data, _SPARE) or self._insist(stream, data)

    def _insist(self, stream: int, data: bytes) -> bool:
        """Waits for room as long as the recorder gets on; where it stands still there is the large rest."""
        room, taken = self._room, -1
        while not room.spilled:
            if taken != room.taken():
                taken = room.taken()
                deadline = time.monotonic() + (_PATIENCE if taken else _PATIENCE_AT_FIRST)
            if time.monotonic() >= deadline:
                room.spill()
            else:
                time.sleep(_STEP)
            if self._send(stream, data, _SPARE):
                return True
        return False

    def _behind(self) -> int:
        """Bytes that the recorder has not taken yet."""
        return self._room.placed - self._room.taken()

    def _tell_losses(self, kind: int) -> None:
        """Lets frames on losses that are not told yet wait before a control frame of this kind."""
        raise NotImplementedError

    def _settle(self) -> bool:
        """Sends the control frames that wait; whether none is left."""
        while self._waiting:
            if not self._send(*self._waiting[0], 0):
                self._room.spill()
                if not self._send(*self._waiting[0], 0):
                    return False
            del self._waiting[0]
        return True

    def _send(self, kind: int, data: bytes, spare: int) -> bool:
        if self._dead:
            return True
        size, head = len(data), self._head
        at = self._room.place(size, spare)
        if at is None:
            return False
        self._memory[at : at + size] = data
        head[0], head[1], head[2], head[3] = kind, (time.monotonic_ns() - self._start) // 1000, size, at
        try:
            os.write(self._fd, head)  # all or nothing, being so short
        except BlockingIOError:
            self._room.take_back(size)
            return False
        except OSError:
            self._dead = True  # the recorder is gone
        return True
