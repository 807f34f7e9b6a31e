"""From shim to recorder: payloads lie in memory that both share, and a pipe carries their heads.

A head is kind (1 byte), time (8, microseconds since the start), length (4), end (8), little-endian. `end` is where the
payload ends in an endless row of bytes, of which the shared memory holds the part that the recorder has not taken; how
far it has come stands in the first 8 bytes of the memory, which the processor stores at once.
Promises: frames arrive in the order of the calls; no call waits for the recorder; what a call has put there survives
the shim, even a SIGKILL. What finds no room is lost by whole lines, counted, and told in a GAP frame.
"""

import _thread
import os
import time

TYPE_CHECKING = False  # typing itself would have to be imported
if TYPE_CHECKING:
    from mmap import mmap

# Kinds of frame. The first three are also the numbers of the streams.
STDIN, STDOUT, STDERR, EOF, SIGNAL, STARTED, EXIT, GAP, END = range(9)
STREAMS = ("stdin", "stdout", "stderr")

HEAD = 21  # bytes
TAKEN = 8  # bytes at the start of the memory: the end of the last payload that the recorder has taken
ROOM = 128 << 20  # bytes for payloads
_LITTLE = 1 << 20  # bytes for them where the system does not grant that much
_SPARE = 4096  # bytes of them that only control frames may fill
_PIPE_SIZE = 1 << 20  # bytes, what Linux grants without privileges: 50 000 heads


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


class Feed:
    """The shim's end of the channel; safe to use from several threads. Time zero is `start` (monotonic ns)."""

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
        self._lost = [[0, 0], [0, 0], [0, 0]]  # lines, bytes lost on each stream and not yet told
        self._torn = [False, False, False]  # the stream goes on in the middle of a line

    def chunk(self, stream: int, data: bytes) -> None:
        """Sends what was read from a stream."""
        with self._lock:
            if self._torn[stream]:
                data = self._after_loss(stream, data)
                if not data:
                    return
            if (self._waiting and not self._settle()) or not self._send(stream, data, _SPARE):
                self._lose(stream, data)

    def tell(self, kind: int, payload: bytes = b"") -> None:
        """Sends a frame that is never lost: an end, a signal, an exit."""
        with self._lock:
            for stream in (STDIN, STDOUT, STDERR):
                self._tell_loss(stream)
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
        head = bytes((kind,)) + now.to_bytes(8, "little") + size.to_bytes(4, "little") + end.to_bytes(8, "little")
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

    def _after_loss(self, stream: int, data: bytes) -> bytes:
        """What may be sent of `data` when a line was torn: what follows its end, once there is room again."""
        self._place(0)
        # Half of the room, or a flood would make a gap of every other chunk.
        kept = data.find(b"\n") + 1 if self._end - self._taken < self._room // 2 else 0
        self._lose(stream, data[:kept] if kept else data)
        self._torn[stream] = not kept
        if not kept:
            return b""
        self._tell_loss(stream)
        return data[kept:]

    def _lose(self, stream: int, data: bytes) -> None:
        self._torn[stream] = True
        self._lost[stream][0] += data.count(b"\n")
        self._lost[stream][1] += len(data)

    def _tell_loss(self, stream: int) -> None:
        lines, size = self._lost[stream]
        if size:
            self._lost[stream] = [0, 0]
            self._waiting.append((GAP, b"%d %d %d" % (stream, lines, size)))
