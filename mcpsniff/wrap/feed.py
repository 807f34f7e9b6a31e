"""What the shim sends to the recorder: chunks of three streams, and what happened.

What finds no room is lost by whole lines, counted, and told in a GAP frame.
"""

from mcpsniff.relay.channel import Channel

TYPE_CHECKING = False  # typing itself would have to be imported
if TYPE_CHECKING:
    from mmap import mmap

# Kinds of frame. The first three are also the numbers of the streams.
STDIN, STDOUT, STDERR, EOF, SIGNAL, STARTED, EXIT, GAP, END = range(9)
STREAMS = ("stdin", "stdout", "stderr")


class Feed(Channel):
    """A channel that loses whole lines."""

    def __init__(self, fd: int, memory: "mmap", start: int):
        super().__init__(fd, memory, start)
        self._lost = [[0, 0], [0, 0], [0, 0]]  # lines, bytes lost on each stream and not yet told
        self._torn = [False, False, False]  # the stream goes on in the middle of a line

    def chunk(self, stream: int, data: bytes) -> None:
        """Sends what was read from a stream."""
        with self._lock:
            if self._torn[stream]:
                data = self._after_loss(stream, data)
                if not data:
                    return
            if not self._offer(stream, data):
                self._lose(stream, data)

    def _after_loss(self, stream: int, data: bytes) -> bytes:
        """What may be sent of `data` when a line was torn: what follows its end, once there is room again."""
        # Half of the room, or a flood would make a gap of every other chunk.
        kept = data.find(b"\n") + 1 if self._behind() < self._room.size // 2 else 0
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

    def _tell_losses(self, kind: int) -> None:
        for stream in (STDIN, STDOUT, STDERR):
            self._tell_loss(stream)

    def _tell_loss(self, stream: int) -> None:
        lines, size = self._lost[stream]
        if size:
            self._lost[stream] = [0, 0]
            self._waiting.append((GAP, b"%d %d %d" % (stream, lines, size)))
