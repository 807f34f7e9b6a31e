"""HTTP bodies → entries of the capture: one for a whole body, one for each block of an event stream.

Bodies are decoded from their content-encoding; what cannot be decoded is kept as it came, in base64. Never raises.
"""

from collections.abc import Iterator
from typing import NamedTuple

from mcpsniff.wire.decoding import Decoder, decoder
from mcpsniff.wire.sse import SseBlock, SseFramer

PLAIN = ("", "identity")  # values of Content-Encoding that need no decoder


class Entry(NamedTuple):
    """A record to be written: of a known type, or a body of which the writer finds out whether it is a message."""

    t: float  # seconds, last byte
    t0: float | None  # seconds, first byte
    fields: dict[str, object]
    type: str | None = None  # None: `body` is a message or a text
    body: bytes = b""
    size: int = 0  # bytes on the wire, of the body


def whole(fields: dict[str, object], t0: float, t: float, encoding: str, sent: bytes) -> Iterator[Entry]:
    """The entry of a body that was read whole; none for an empty one."""
    if not sent:
        return
    if encoding in PLAIN:
        yield Entry(t, t0, fields, body=sent, size=len(sent))
        return
    decoding = decoder(encoding)
    body = decoding.feed(sent) if decoding is not None else b""
    if body:
        yield Entry(t, t0, {**fields, "wire_size": len(sent)}, body=body, size=len(body))
    else:
        yield Entry(t, t0, {**fields, "encoding": encoding}, body=sent, size=len(sent))


class EventStream:
    """A body of server-sent events, read piece by piece."""

    def __init__(self, x: str, encoding: str) -> None:
        self._x = x
        self._encoding = encoding
        self._plain = encoding in PLAIN
        self._decoder: Decoder | None = None if self._plain else decoder(encoding)
        self._framer = SseFramer()

    def feed(self, t: float, piece: bytes) -> Iterator[Entry]:
        """The entries of the blocks that end in this piece, or of the piece itself where it cannot be decoded."""
        data = piece
        if not self._plain:
            data = self._decoder.feed(piece) if self._decoder is not None else b""
            if self._decoder is None or self._decoder.failed:
                fields = {"from": "server", "x": self._x, "encoding": self._encoding}
                yield Entry(t, None, fields, body=piece, size=len(piece))
        for block in self._framer.feed(data, t):
            yield self._entry(block)

    def end(self) -> Iterator[Entry]:
        """The entry of what stood after the last whole block."""
        block = self._framer.flush()
        if block is not None:
            yield self._entry(block)

    def _entry(self, block: SseBlock) -> Entry:
        sent = {
            name: value
            for name in ("event", "id", "retry", "comment", "fields")
            if (value := getattr(block, name)) not in (None, [])
        }
        if is_message(block):
            fields = {"from": "server", "x": self._x, "sse": sent}
            return Entry(block.t, block.t0, fields, body=block.data or b"", size=block.size)
        fields = {"x": self._x, "size": block.size, **sent}
        if block.unfinished:
            fields["unfinished"] = True
        if block.data is not None:
            fields["data"] = block.data.decode("utf-8", "replace")
        return Entry(block.t, block.t0, fields, type="sse")


def is_message(block: SseBlock) -> bool:
    """Whether something stands in the block where a message belongs, whatever the event is called."""
    return bool(block.data) and block.event != "endpoint" and not block.unfinished
