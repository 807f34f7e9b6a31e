"""The pipe from shim to recorder: its frames, and the end that the shim holds.

A frame is kind (1 byte), time (8 bytes, microseconds since the start, little-endian), length (4 bytes), payload.
Promises: frames arrive in the order of the calls, and no call waits for the recorder. What the pipe does not
take is kept in memory up to LIMIT; beyond that whole lines are lost, counted, and told in a GAP frame.
"""

import _thread
import os
import time

# Kinds of frame. The first three are also the numbers of the streams.
STDIN, STDOUT, STDERR, EOF, SIGNAL, STARTED, EXIT, GAP, END = range(9)
STREAMS = ("stdin", "stdout", "stderr")

HEAD = 13  # bytes
LIMIT = 64 << 20  # bytes kept on either side of the pipe
_PIPE_SIZE = 1 << 20  # bytes, what Linux grants without privileges
_PIECE = 1 << 18  # bytes moved at once from memory to the pipe


def open_channel() -> tuple[int, int]:
    """A new pipe (read end, write end), widened where the system lets us; neither end is inherited."""
    source, target = os.pipe()
    try:
        from fcntl import F_SETPIPE_SZ, fcntl

        fcntl(target, F_SETPIPE_SZ, _PIPE_SIZE)
    except (ImportError, OSError):
        pass  # the pipe stays as wide as the system made it
    return source, target


class Feed:
    """The shim's end of the pipe; safe to use from several threads. Time zero is `start` (monotonic ns)."""

    def __init__(self, fd: int, start: int):
        os.set_blocking(fd, False)
        self._fd = fd
        self._start = start
        self._lock = _thread.allocate_lock()
        self._backlog = bytearray()
        self._emptied = _thread.allocate_lock()  # held while a thread moves the backlog
        self._dead = False
        self._lost = [[0, 0], [0, 0], [0, 0]]  # lines, bytes lost on each stream and not yet told
        self._torn = [False, False, False]  # the stream goes on in the middle of a line

    def chunk(self, stream: int, data: bytes) -> None:
        """Sends what was read from a stream."""
        with self._lock:
            if self._torn[stream] or len(self._backlog) > LIMIT:
                data = self._after_loss(stream, data)
                if not data:
                    return
            self._send(stream, data)

    def tell(self, kind: int, payload: bytes = b"") -> None:
        """Sends a frame that is never lost: an end, a signal, an exit."""
        with self._lock:
            for stream in (STDIN, STDOUT, STDERR):
                self._tell_loss(stream)
            self._send(kind, payload)

    def close(self, timeout: float) -> None:
        """Closes the pipe when all is in it, or leaves it to the end of the process after `timeout` seconds."""
        if self._emptied.acquire(timeout=timeout):
            with self._lock:
                self._dead = True
                os.close(self._fd)

    def _send(self, kind: int, data: bytes) -> None:
        if self._dead:
            return
        now = (time.monotonic_ns() - self._start) // 1000
        head = bytes((kind,)) + now.to_bytes(8, "little") + len(data).to_bytes(4, "little")
        sent = 0
        if not self._backlog:
            try:
                sent = os.writev(self._fd, (head, data))
            except BlockingIOError:
                pass
            except OSError:
                self._dead = True
                return
            if sent == HEAD + len(data):
                return
        self._backlog += (head + data)[sent:]
        if self._emptied.acquire(blocking=False):
            _thread.start_new_thread(self._move_backlog, ())

    def _move_backlog(self) -> None:
        from select import POLLOUT, poll

        room = poll()
        room.register(self._fd, POLLOUT)
        while True:
            room.poll()
            with self._lock:
                self._move_piece()
                if not self._backlog:
                    self._emptied.release()
                    return

    def _move_piece(self) -> None:
        try:
            del self._backlog[: os.write(self._fd, self._backlog[:_PIECE])]
        except BlockingIOError:
            pass
        except OSError:
            self._dead = True
            self._backlog.clear()

    def _after_loss(self, stream: int, data: bytes) -> bytes:
        """What can be sent of `data`: nothing while memory is full, then all behind the first line end."""
        kept = 0
        if len(self._backlog) <= LIMIT // 2:  # not LIMIT, or a flood would make a gap of every other chunk
            kept = data.find(b"\n") + 1
        lost = data[:kept] if kept else data
        self._torn[stream] = not kept
        self._lost[stream][0] += lost.count(b"\n")
        self._lost[stream][1] += len(lost)
        if not kept:
            return b""
        self._tell_loss(stream)
        return data[kept:]

    def _tell_loss(self, stream: int) -> None:
        lines, size = self._lost[stream]
        if size:
            self._lost[stream] = [0, 0]
            self._send(GAP, b"%d %d %d" % (stream, lines, size))
