"""Messages that a stdio line does not hold: torn over several lines, or two on one.

A line that is no JSON but begins like an object is held back with the lines that follow it, until together they parse
or cannot any more. Bounded in lines and bytes; linear, as a join is tried only where a line could end the value.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Generic, Protocol, TypeVar

LINES = 200
BYTES = 4_000_000
TRIES = 64  # parses of one block


class LineLike(Protocol):
    """What is joined: bytes of one line, without its end."""

    @property
    def data(self) -> bytes: ...


L = TypeVar("L", bound=LineLike)
Block = tuple[list[L], bytes | None]  # lines, and the message that they make together (None: noise)


class TornLines(Generic[L]):
    """Joins the lines of one stream; what comes out is noise, or a block that makes one message."""

    def __init__(self) -> None:
        self._held: list[L] = []
        self.holding = False  # a block has begun
        self._size = 0
        self._tries = 0

    def feed(self, line: L) -> Iterator[Block[L]]:
        """Takes a line that is not one message; gives the blocks that are settled by it."""
        if not self._held and line.data.lstrip()[:1] not in (b"{", b"["):
            yield [line], None
            return
        self._held.append(line)
        self.holding = True
        self._size += len(line.data)
        if line.data.rstrip()[-1:] in (b"}", b"]") and self._tries < TRIES:
            yield from self._try()
        if len(self._held) > LINES or self._size > BYTES:
            yield from self.flush()

    def _try(self) -> Iterator[Block[L]]:
        self._tries += 1
        joined = b"\n".join(line.data for line in self._held)
        if len(self._held) > 1 and looks_like_message(joined):
            yield self._take(), joined.replace(b"\n", b" ")

    def _take(self) -> list[L]:
        held, self._held, self._size, self._tries = self._held, [], 0, 0
        self.holding = False
        return held

    def flush(self) -> Iterator[Block[L]]:
        """Gives the held lines as noise, one by one: the stream ended or a whole message came."""
        for line in self._take():
            yield [line], None


def looks_like_message(text: bytes) -> bool:
    """Whether the text is one JSON object with a member that makes a JSON-RPC message."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return False
    return isinstance(value, dict) and any(k in value for k in ("jsonrpc", "method", "result", "error"))


def split_doubled(line: bytes) -> list[bytes]:
    """Gives the JSON-RPC objects that one line holds back to back; empty where it is anything else."""
    try:
        text = line.decode().strip()
    except UnicodeDecodeError:
        return []
    if text[:1] != "{":
        return []
    decoder, position, out = json.JSONDecoder(), 0, []
    while position < len(text):
        try:
            _, end = decoder.raw_decode(text, position)
        except (ValueError, RecursionError):
            return []
        piece = text[position:end].encode()
        if not looks_like_message(piece):
            return []
        out.append(piece)
        position = end + len(text[end:]) - len(text[end:].lstrip())
    return out if len(out) > 1 else []
