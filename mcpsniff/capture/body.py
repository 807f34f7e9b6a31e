"""HTTP bodies → entries of the capture: one for a whole body, one for each block of an event stream.

Bodies are decoded from their content-encoding; what cannot be decoded is kept as it came, in base64. Never raises.
"""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from mcpsniff.wire.decoding import decoder
from mcpsniff.wire.sse import SseBlock, SseFramer

PLAIN = ("", "identity")  # values of Content-Encoding that need no decoder


class Entry(NamedTuple):
    """A record to be written: of a known type, or a body of which the writer finds out whether it is a message."""

    t: float  # seconds, last byte
    t0: float | None  # seconds, first byte
    fields: Mapping[str, object]
    type: str | None = None  # None: `body` is a message or a text
    body: bytes = b""
    size: int = 0  # bytes on the wire, of the body


def whole(fields: Mapping[str, object], t0: float, t: float, encoding: str, sent: bytes) -> Iterator[Entry]:
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
    """A body of server-sent events, decoded and cut into blocks as it comes."""

    def __init__(self, encoding: str) -> None:
        self._plain = encoding in PLAIN
        self._decoder = None if self._plain else decoder(encoding)
        self._framer = SseFramer()

    @property
    def undecodable(self) -> bool:
        """Whether the pieces, the last one included, are not understood."""
        return not self._plain and (self._decoder is None or self._decoder.failed)

    def feed(self, t: float, piece: bytes) -> list[SseBlock]:
        """The blocks that end in this piece."""
        if not self._plain:
            piece = self._decoder.feed(piece) if self._decoder is not None else b""
        return self._framer.feed(piece, t)

    def flush(self) -> SseBlock | None:
        """What stood after the last whole block."""
        return self._framer.flush()


def event(x: str, block: SseBlock) -> Entry:
    """The entry of one block: a body where something stands in it where a message belongs, else an `sse` record."""
    sent: dict[str, object] = {
        name: value
        for name in ("event", "id", "retry", "comment", "fields")
        if (value := getattr(block, name)) not in (None, [])
    }
    data = block.data
    if data and block.event != "endpoint" and not block.unfinished:
        return Entry(block.t, block.t0, {"from": "server", "x": x, "sse": sent}, body=data, size=block.size)
    fields = {"x": x, "size": block.size, **sent}
    if block.unfinished:
        fields["unfinished"] = True
    if data is not None:
        fields["data"] = data.decode("utf-8", "replace")
    return Entry(block.t, block.t0, fields, type="sse")
