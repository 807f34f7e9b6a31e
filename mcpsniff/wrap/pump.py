"""One direction of the traffic: reads what is there, hands it to the recorder, passes it on.

Each chunk goes to the recorder before it is passed on, so an answer is never recorded ahead of its question.
Back-pressure is that of pipes: a pump holds one chunk and waits until it is taken. Knows nothing of lines.
"""

import _thread
import os

from mcpsniff.wrap.feed import EOF, STDERR, Feed

_CHUNK = 1 << 16  # bytes, the size of an ordinary pipe


class Pump:
    """Moves one stream from the descriptor `source` to `target` in a thread of its own.

    Closes both of its ends when either is gone.
    """

    def __init__(self, source: int, target: int, stream: int, feed: Feed):
        self.ended = _thread.allocate_lock()  # held while the pump runs
        self.moved = 0  # chunks passed on
        self.holding = False  # a chunk has been read and is not passed on yet
        self._source = source
        self._target = target
        self._stream = stream
        self._feed = feed

    def start(self) -> None:
        """Starts the thread."""
        self.ended.acquire()
        _thread.start_new_thread(self._run, ())

    def waiting(self) -> bool:
        """Whether bytes are there that the pump has not read yet."""
        return _wait(self._source, "POLLIN", 0)

    def _run(self) -> None:
        try:
            self._move()
        finally:
            # Both ends, or whoever is left would go on talking to nobody.
            shut(self._source)
            if self._stream != STDERR:  # wrap's own words go to stderr too
                shut(self._target)
            self.ended.release()

    def _move(self) -> None:
        # The calls of the ordinary case stand here: to put each in a method costs a round trip 1 of 14 µs.
        source, target, stream = self._source, self._target, self._stream
        read, record, write = os.read, self._feed.chunk, os.write
        while True:
            try:
                data = read(source, _CHUNK)
            except OSError:
                data = self._read_patiently()
            if not data:
                break
            self.holding = True
            record(stream, data)
            try:
                sent = write(target, data)
            except OSError:
                sent = 0
            if sent < len(data) and not self._write_patiently(memoryview(data)[sent:]):
                return
            self.moved += 1
            self.holding = False
        self._feed.tell(EOF, b"%d" % stream)

    def _read_patiently(self) -> bytes:
        """What comes next; nothing where that fails for good."""
        while True:
            try:
                return os.read(self._source, _CHUNK)
            except BlockingIOError:  # whoever shares our stdin with us has made it non-blocking
                _wait(self._source, "POLLIN")
            except OSError:  # a closed terminal
                return b""

    def _write_patiently(self, rest: memoryview) -> bool:
        """Passes all of `rest` on; False where nobody takes it any more."""
        while rest:
            try:
                rest = rest[os.write(self._target, rest) :]
            except BlockingIOError:
                _wait(self._target, "POLLOUT")
            except OSError:
                return False
        return True


def _wait(fd: int, event: str, timeout: int | None = None) -> bool:
    """Waits at most `timeout` ms until `fd` is ready for `event`, "POLLIN" or "POLLOUT"; whether it is."""
    import select

    poll = select.poll()
    poll.register(fd, getattr(select, event))
    return bool(poll.poll(timeout))


def shut(fd: int) -> None:
    """Closes what `fd` stands for, but keeps the number: reading finds the end, writing fails.

    Safe while another thread uses `fd`, and safe to do twice.
    """
    source, target = os.pipe()
    os.dup2(source, fd, inheritable=False)
    os.close(source)
    os.close(target)
