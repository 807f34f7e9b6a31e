"""To the recorder: payloads lie in memory that both processes share, and a pipe carries their heads.

A head is kind (4 bytes), time (8, microseconds since the start), length (4), end (8), little-endian. `end` is where the
payload ends in an endless row of bytes, of which the shared memory holds the part that the recorder has not taken; how
far it has come stands in the first 8 bytes of the memory, which the processor stores at once.
Promises: frames arrive in the order of the calls; no call waits for the recorder; what a call has put there survives
the process that called, even a SIGKILL.
"""

import _thread
import os
import time

TYPE_CHECKING = False  # typing itself would have to be imported
if TYPE_CHECKING:
    from mmap import mmap

HEAD = 24  # bytes
TAKEN = 8  # bytes at the start of the memory: the end of the last payload that the recorder has taken
ROOM = 128 << 20  # bytes for payloads
_LITTLE = 1 << 20  # bytes for them where the system does not grant that much
_SPARE = 4096  # bytes of them that only control frames may fill
_PIPE_SIZE = 1 << 20  # bytes, what Linux grants without privileges: 43 000 heads


def open_channel() -> "tuple[int, int, mmap]":
    """A new pipe (read end, write end), not inherited and widened where the system lets us, and its memory."""
    from mmap import mmap

    source, target = os.pipe()
    try:
        from fcntl import F_SETPIPE_SZ, fcntl

        fcntl(target, F_SETPIPE_SZ, _PIPE_SIZE)
    except (ImportError, OSError):
        pass  # the pipe stays as wide as the system made it
    try:
        return source, target, mmap(-1, TAKEN + ROOM)
    except OSError:
        return source, target, mmap(-1, TAKEN + _LITTLE)


class Channel:
    """The sender's end; safe to use from several threads. Time zero is `start` (monotonic ns).

    What becomes of bytes that find no room is for the subclass to say.
    """

    def __init__(self, fd: int, memory: "mmap", start: int):
        os.set_blocking(fd, False)
        self._fd = fd
        self._memory = memory
        self._room = len(memory) - TAKEN
        self._start = start
        self._lock = _thread.allocate_lock()
        self._dead = False  # nobody takes frames any more
        self._end = 0  # of the last payload
        self._taken = 0  # up to here the memory is free
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
        return not (self._waiting and not self._settle()) and self._send(stream, data, _SPARE)

    def _tell_losses(self, kind: int) -> None:
        """Lets frames on losses that are not told yet wait before a control frame of this kind."""
        raise NotImplementedError

    def _settle(self) -> bool:
        """Sends the control frames that wait; whether none is left."""
        while self._waiting and self._send(*self._waiting[0], 0):
            del self._waiting[0]
        return not self._waiting

    def _send(self, kind: int, data: bytes, spare: int) -> bool:
        if self._dead:
            return True
        size = len(data)
        end = self._place(size)
        if end - self._taken > self._room - spare:
            return False
        offset = TAKEN + (end - size) % self._room
        self._memory[offset : offset + size] = data
        now = (time.monotonic_ns() - self._start) // 1000
        head = (
            kind.to_bytes(4, "little")
            + now.to_bytes(8, "little")
            + size.to_bytes(4, "little")
            + end.to_bytes(8, "little")
        )
        try:
            os.write(self._fd, head)  # all or nothing, being so short
        except BlockingIOError:
            return False
        except OSError:
            self._dead = True  # the recorder is gone
        self._end = end
        return True

    def _place(self, size: int) -> int:
        """Where a payload would end that lies in one piece behind the last one."""
        start = self._end
        taken = int.from_bytes(self._memory[:TAKEN], "little")
        if taken == start:  # all is free: from the front again, so that light traffic touches few pages
            start += -start % self._room
            self._taken = start
        elif taken > self._taken:
            self._taken = taken
        if start % self._room + size > self._room:
            start += -start % self._room
        return start + size
