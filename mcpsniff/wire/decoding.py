"""Content-encodings: encoded pieces of a body → decoded bytes, one decoder for each response.

gzip and deflate always; br and zstd where a library for them can be imported. Never raises on what it is fed:
a decoder that meets bytes it does not understand has `failed`, and gives nothing more.
"""

import zlib
from collections.abc import Callable
from importlib import import_module
from typing import Any

_SLICE = 4096  # bytes fed at a time, so that a decompression bomb is noticed before it fills the memory
_LARGEST = 1 << 28  # bytes that one feed may give; what grows beyond is a bomb, not an MCP body

Decompress = Callable[[bytes], bytes]


class Decoder:
    """Decodes one body, piece by piece."""

    def __init__(self, decompress: Decompress) -> None:
        self._decompress = decompress
        self.failed = False

    def feed(self, piece: bytes) -> bytes:
        """The bytes that can be decoded now; nothing from a piece that fails, nor ever after."""
        if self.failed:
            return b""
        out, size = [], 0
        for start in range(0, len(piece), _SLICE):
            try:
                out.append(self._decompress(piece[start : start + _SLICE]))
            except Exception:  # each library has errors of its own; whichever it is, the body stays encoded
                self.failed = True
                return b""
            size += len(out[-1])
            if size > _LARGEST:
                self.failed = True
                return b""
        return b"".join(out)


def decoder(encoding: str) -> Decoder | None:
    """A new decoder for this Content-Encoding value; None for an unknown one, several, or one without a library."""
    make = _DECOMPRESSORS.get(encoding.strip().lower())
    decompress = make() if make is not None else None
    return Decoder(decompress) if decompress is not None else None


class _Gzip:
    """gzip data of one or more members."""

    def __init__(self) -> None:
        self._member = zlib.decompressobj(31)

    def __call__(self, piece: bytes) -> bytes:
        out = self._member.decompress(piece)
        while rest := self._member.unused_data:
            self._member = zlib.decompressobj(31)
            out += self._member.decompress(rest)
        return out


class _Deflate:
    """zlib data, or raw deflate where the first two bytes are no zlib header: both are sent under this name."""

    def __init__(self) -> None:
        self._object: Any = None
        self._start = b""

    def __call__(self, piece: bytes) -> bytes:
        if self._object is None:
            piece = self._start = self._start + piece
            if len(piece) < 2:
                return b""
            zlib_header = piece[0] & 15 == 8 and int.from_bytes(piece[:2], "big") % 31 == 0
            self._object = zlib.decompressobj(15 if zlib_header else -15)
        out: bytes = self._object.decompress(piece)
        if self._object.unused_data:
            raise zlib.error("bytes after the end")
        return out


def _first_of(*candidates: tuple[str, Callable[[Any], Decompress]]) -> Callable[[], Decompress | None]:
    def make() -> Decompress | None:
        for name, build in candidates:
            try:
                return build(import_module(name))
            except ImportError:
                continue
        return None

    return make


_DECOMPRESSORS: dict[str, Callable[[], Decompress | None]] = {
    "gzip": _Gzip,
    "x-gzip": _Gzip,
    "deflate": _Deflate,
    "br": _first_of(
        ("brotli", lambda m: m.Decompressor().process),
        ("brotlicffi", lambda m: m.Decompressor().process),
    ),
    "zstd": _first_of(
        ("compression.zstd", lambda m: m.ZstdDecompressor().decompress),
        ("backports.zstd", lambda m: m.ZstdDecompressor().decompress),
        ("zstandard", lambda m: m.ZstdDecompressor().decompressobj().decompress),
    ),
}
