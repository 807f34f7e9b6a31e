"""What the tap sends to the recorder: bytes of connections, and how these began and ended.

A frame's kind is the number of its connection (from 1) and what it is. Bytes that find no room are lost with all that
follows on their connection, counted, and told in a GAP frame before the next frame on how the connection went on.
"""

from mmap import mmap

from mcpsniff.relay.channel import Channel

CLIENT, SERVER, OPENED, CLIENT_EOF, SERVER_EOF, CLIENT_RESET, SERVER_RESET, UNREACHED, GAP, END = range(10)
_BITS = 4


def kind(connection: int, what: int) -> int:
    """The kind of a frame; END has connection 0."""
    return connection << _BITS | what


def parts(kind: int) -> tuple[int, int]:
    """The connection, and what the frame is."""
    return kind >> _BITS, kind & ((1 << _BITS) - 1)


class Feed(Channel):
    """A channel that loses the rest of a connection."""

    def __init__(self, fd: int, memory: mmap, start: int):
        super().__init__(fd, memory, start)
        self._lost: dict[int, int] = {}  # bytes that are not told yet, of each connection that has lost some

    def chunk(self, stream: int, data: bytes) -> None:
        """Sends what was read from one side of a connection."""
        with self._lock:
            connection = stream >> _BITS
            if connection in self._lost or not self._offer(stream, data):
                self._lost[connection] = self._lost.get(connection, 0) + len(data)

    def _tell_losses(self, kind: int) -> None:
        connection, what = parts(kind)
        for one in list(self._lost) if what == END else [connection]:
            if size := self._lost.get(one):
                self._lost[one] = 0
                self._waiting.append((one << _BITS | GAP, b"%d" % size))
