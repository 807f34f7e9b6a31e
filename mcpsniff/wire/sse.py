"""Server-sent events: pieces of a stream → blocks, by the WHATWG rules. Nothing is judged here.

CR, LF and CRLF end a line and may be split anywhere: the same bytes give the same blocks however they were cut.
Every byte is counted in exactly one block, and the work is linear in the size of the stream.
"""

_BOM = b"\xef\xbb\xbf"
_RETRY_DIGITS = 18  # a longer number is no waiting time; it is kept as the text it is


class SseBlock:
    """What was sent up to one blank line, field by field; a field that was not sent is None."""

    __slots__ = ("_data", "comment", "event", "fields", "id", "retry", "size", "t", "t0", "unfinished")

    def __init__(self, t0: float) -> None:
        self.size = 0  # bytes, the blank line included
        self.t0 = t0  # seconds, first byte read
        self.t = t0  # seconds, last byte read
        self.event: str | None = None
        self.id: str | None = None
        self.retry: int | str | None = None  # milliseconds; text where it is no number
        self.comment: str | None = None  # several comment lines are joined with LF
        self.fields: list[str] = []  # names that the standard does not know
        self.unfinished = False  # the stream ended inside the block
        self._data: list[bytes] = []

    @property
    def data(self) -> bytes | None:
        """The data lines joined with LF: None where there was no such line, b"" where there was an empty one."""
        return b"\n".join(self._data) if self._data else None

    def count(self, size: int, t: float) -> None:
        """Add bytes that were read at this time."""
        self.size += size
        self.t = t

    def take(self, line: bytes) -> None:
        """Read one line, its line end removed."""
        name, colon, value = line.partition(b":")
        value = value.removeprefix(b" ")
        if name == b"data":
            self._data.append(value)
        else:
            self._take_text(name.decode("utf-8", "replace"), bool(colon), value.decode("utf-8", "replace"))

    def _take_text(self, name: str, colon: bool, value: str) -> None:
        match name:
            case "event":
                self.event = value
            case "id":
                self.id = value
            case "retry":
                self.retry = _milliseconds(value)
            case "" if colon:
                self.comment = value if self.comment is None else f"{self.comment}\n{value}"
            case _:
                self.fields.append(name)


def _milliseconds(value: str) -> int | str:
    return int(value) if value.isascii() and value.isdigit() and len(value) <= _RETRY_DIGITS else value


class SseFramer:
    """Cuts one stream into blocks; it is fed decoded bytes with the time (seconds) at which they were read."""

    def __init__(self) -> None:
        self._part: list[bytes] = []  # pieces of a line whose end has not come
        self._block: SseBlock | None = None  # the block being read
        self._ready: SseBlock | None = None  # complete, but the LF of its CRLF may still come
        self._first = True  # no line is complete yet: the next may start with a byte order mark
        self._cr = False  # the last byte was a CR: an LF that comes now is of the same line end
        self._crlf = True  # the last line end was CRLF, or there was none yet

    def feed(self, chunk: bytes, t: float) -> list[SseBlock]:
        """The blocks that end in this chunk."""
        blocks: list[SseBlock] = []
        for line in self._after_cr(chunk, t).splitlines(keepends=True):
            self._release(blocks)
            self._line(line, t, blocks)
        return blocks

    def flush(self) -> SseBlock | None:
        """What the end of the stream leaves: a block that still waited for an LF, an unfinished one, or nothing."""
        block = self._ready or self._block
        if block is not None and block is self._block:
            block.unfinished = True
            if self._part:
                block.take(b"".join(self._part))
        self._ready = self._block = None
        return block

    def _after_cr(self, chunk: bytes, t: float) -> bytes:
        """The chunk without an LF that belongs to the line end before it."""
        if not self._cr or not chunk.startswith(b"\n"):
            return chunk
        (self._ready or self._open(t)).count(1, t)
        self._cr, self._crlf = False, True
        return chunk[1:]

    def _open(self, t: float) -> SseBlock:
        if self._block is None:
            self._block = SseBlock(t)
        return self._block

    def _release(self, blocks: list[SseBlock]) -> None:
        if self._ready is not None:
            blocks.append(self._ready)
            self._ready = None

    def _line(self, line: bytes, t: float, blocks: list[SseBlock]) -> None:
        text = line.rstrip(b"\r\n")
        end = line[len(text) :]
        block = self._open(t)
        block.count(len(line), t)
        if not end:
            self._part.append(text)
            self._cr = False
            return
        text = self._whole(text)
        if text:
            block.take(text)
        else:
            self._end(block, end, t, blocks)
        self._cr, self._crlf = end == b"\r", end == b"\r\n"

    def _whole(self, text: bytes) -> bytes:
        if self._part:
            text = b"".join([*self._part, text])
            self._part.clear()
        if self._first:
            self._first = False
            text = text.removeprefix(_BOM)
        return text

    def _end(self, block: SseBlock, end: bytes, t: float, blocks: list[SseBlock]) -> None:
        """The blank line. A CR ends the block at once, unless the stream's line ends say that an LF is coming.

        Where they say otherwise and one comes all the same, it is counted in the next block, cut or not.
        """
        self._block = None
        if end == b"\r" and self._crlf:
            self._ready = block
            return
        blocks.append(block)
        if end == b"\r\n" and not self._crlf:
            block.size -= 1
            self._open(t).count(1, t)
