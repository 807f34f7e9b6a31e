"""Records whose payload is too long to be held twice: their pieces are made one by one, whenever they are gone through.

A piece is let go before the next is made, however much longer the payload becomes by escapes or base64.
"""

from __future__ import annotations

import codecs
import json
from binascii import b2a_base64
from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

LONG = 4 << 20  # bytes of a payload; fewer are copied sooner than they are written in pieces
_PIECE = 3 << 15  # bytes of payload; thirds of it, so that base64 has no padding but at its end

dumps = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode


class LongValue:
    """The value of a field: `spell` makes its pieces from the payload."""

    def __init__(self, payload: bytes, spell: Callable[[bytes], Iterator[bytes]]) -> None:
        self._payload = payload
        self._spell = spell

    def __iter__(self) -> Iterator[bytes]:
        return self._spell(self._payload)


class LongRecord:
    """One line of a capture, in pieces; `len` counts its bytes, which may mean to make them."""

    def __init__(self, parts: Sequence[bytes | LongValue]) -> None:
        self._parts = parts

    def __iter__(self) -> Iterator[bytes]:
        for part in self._parts:
            if isinstance(part, bytes):
                yield part
            else:
                yield from part

    def __len__(self) -> int:
        return sum(map(len, self))

    def __bytes__(self) -> bytes:
        return b"".join(self)


Record: TypeAlias = bytes | LongRecord  # one line of a capture


def as_it_is(text: bytes) -> Iterator[bytes]:
    """JSON text, which is copied nowhere."""
    yield text


def escaped(text: bytes) -> Iterator[bytes]:
    """UTF-8 as a JSON string; what a cut has left of the last character is dropped."""
    decode = codecs.getincrementaldecoder("utf-8")().decode
    yield b'"'
    for piece in _pieces(text):
        yield dumps(decode(piece)).encode()[1:-1]
    yield b'"'


def base64(body: bytes) -> Iterator[bytes]:
    """Any bytes as a JSON string in base64."""
    yield b'"'
    for piece in _pieces(body):
        yield b2a_base64(piece, newline=False)
    yield b'"'


def _pieces(payload: bytes) -> Iterator[bytes]:
    return (payload[start : start + _PIECE] for start in range(0, len(payload), _PIECE))
