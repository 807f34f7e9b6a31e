"""One direction of the traffic: reads what is there, hands it to the recorder, passes it on.

Each chunk goes to the recorder before it is passed on, so an answer is never recorded ahead of its question.
Back-pressure is that of pipes and sockets: a pump holds one chunk and waits until it is taken. Knows nothing of lines.
"""

import _thread
import os

from mcpsniff.relay.channel import Channel

_CHUNK = 1 << 16  # bytes, the size of an ordinary pipe


class Pump:
    """Moves one stream from the descriptor `source` to `target` in a thread of its own.

    What the end of either means is for the subclass to say.
    """

    def __init__(self, source: int, target: int, stream: int, feed: Channel):
        self.ended = _thread.allocate_lock()  # held while the pump runs
        self.moved = 0  # chunks passed on
        self.holding = False  # a chunk has been read and is not passed on yet
        self.failed = False  # reading ended with an error
        self._source = source
        self._target = target
        self._stream = stream
        self._feed = feed

    def start(self) -> None:
        """Starts the thread."""
        self.ended.acquire()
        _thread.start_new_thread(self._run, ())

    def _source_ended(self) -> None:
        """Nothing more will be read."""
        raise NotImplementedError

    def _part(self) -> None:
        """Lets go of both ends, whatever ended the pump."""
        raise NotImplementedError

    def _run(self) -> None:
        try:
            self._move()
        finally:
            self._part()
            self.ended.release()

    def _move(self) -> None:
        read, chunk, write, stream = self._read, self._feed.chunk, self._write, self._stream
        while data := read():
            self.holding = True
            chunk(stream, data)
            if not write(data):
                return
            self.moved += 1
            self.holding = False
        self._source_ended()

    def _read(self) -> bytes:
        while True:
            try:
                return os.read(self._source, _CHUNK)
            except BlockingIOError:  # whoever shares our stdin with us has made it non-blocking
                wait(self._source, "POLLIN")
            except OSError:  # a closed terminal, a reset socket
                self.failed = True
                return b""

    def _write(self, data: bytes) -> bool:
        """Passes all of `data` on; False where nobody takes it any more."""
        rest: bytes | memoryview = data
        while rest:
            try:
                sent = os.write(self._target, rest)
            except BlockingIOError:
                wait(self._target, "POLLOUT")
            except OSError:
                return False
            else:
                if sent == len(rest):
                    return True
                rest = memoryview(rest)[sent:]
        return True


def wait(fd: int, event: str, timeout: int | None = None) -> bool:
    """Waits at most `timeout` ms until `fd` is ready for `event`, "POLLIN" or "POLLOUT"; whether it is."""
    import select

    poll = select.poll()
    poll.register(fd, getattr(select, event))
    return bool(poll.poll(timeout))
