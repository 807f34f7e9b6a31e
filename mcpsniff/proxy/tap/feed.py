"""What the tap sends to the recorder: bytes of connections, and how these began and ended.

A frame's kind is the number of its connection (from 1) and what it is. Bytes that find no room are lost with what
follows on their connection, up to a request that comes when the recorder has caught up; they are counted, and told in
a GAP frame before the next frame on that connection.
"""

from mmap import mmap

from mcpsniff.relay.channel import Channel

CLIENT, SERVER, OPENED, CLIENT_EOF, SERVER_EOF, CLIENT_RESET, SERVER_RESET, UNREACHED, GAP, END = range(10)
_BITS = 4
_REQUESTS = (b"POST ", b"GET ", b"DELETE ", b"OPTIONS ", b"HEAD ", b"PUT ")  # how what is read begins then


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
            if self._lost and connection in self._lost and self._may_resume(stream, data):
                self._tell_loss(connection)
                del self._lost[connection]
            if connection in self._lost or not self._offer(stream, data):
                self._lost[connection] = self._lost.get(connection, 0) + len(data)

    def _may_resume(self, stream: int, data: bytes) -> bool:
        """Whether a request begins here, which need not know what was lost, and the recorder has nothing left to do."""
        caught_up = not self._behind()
        return caught_up and parts(stream)[1] == CLIENT and data.startswith(_REQUESTS)

    def _tell_losses(self, kind: int) -> None:
        connection, what = parts(kind)
        for one in list(self._lost) if what == END else [connection]:
            self._tell_loss(one)

    def _tell_loss(self, connection: int) -> None:
        if size := self._lost.get(connection):
            self._lost[connection] = 0
            self._waiting.append((kind(connection, GAP), b"%d" % size))
