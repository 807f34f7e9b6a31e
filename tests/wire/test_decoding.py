"""Encoded bodies decoded piece by piece, and left alone where that cannot be done."""

import gzip
import zlib
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec

import brotli
import pytest

from mcpsniff.wire import decoding
from mcpsniff.wire.decoding import Decoder, decoder

try:
    from compression import zstd  # type: ignore[import-not-found, unused-ignore]
except ImportError:
    from backports import zstd

TEXT = b'{"jsonrpc":"2.0","id":1,"result":{}}' * 40


def raw_deflate(data: bytes) -> bytes:
    packer = zlib.compressobj(wbits=-15)
    return packer.compress(data) + packer.flush()


ENCODERS: list[tuple[str, Callable[[bytes], bytes]]] = [
    ("gzip", gzip.compress),
    ("X-GZIP ", gzip.compress),
    ("deflate", zlib.compress),
    ("deflate", raw_deflate),
    ("br", brotli.compress),
    ("zstd", zstd.compress),
]


def new(encoding: str) -> Decoder:
    made = decoder(encoding)
    assert made is not None
    return made


@pytest.mark.parametrize(("encoding", "encode"), ENCODERS)
@pytest.mark.parametrize("step", [1, 7, 100_000])
def test_every_encoding_in_pieces(encoding: str, encode: Callable[[bytes], bytes], step: int) -> None:
    """Pieces of any size give the text that was encoded."""
    body, made = encode(TEXT), new(encoding)
    assert b"".join(made.feed(body[i : i + step]) for i in range(0, len(body), step)) == TEXT
    assert not made.failed


def test_flushed_event_comes_out_at_once() -> None:
    """What a server flushes can be decoded when it arrives, not at the end of the stream."""
    packer, made = zlib.compressobj(wbits=31), new("gzip")
    for event in (b"data: 1\n\n", b"data: 2\n\n"):
        assert made.feed(packer.compress(event) + packer.flush(zlib.Z_SYNC_FLUSH)) == event


def test_several_gzip_members() -> None:
    """Members that follow one another are one body."""
    assert new("gzip").feed(gzip.compress(b"a") + gzip.compress(b"b")) == b"ab"


@pytest.mark.parametrize(("encoding", "body"), [(e, b"\xffno such data" * 9) for e, _ in ENCODERS])
def test_what_is_not_so_encoded_fails_without_raising(encoding: str, body: bytes) -> None:
    """The decoder says that it failed, and gives nothing from there on."""
    made = new(encoding)
    assert made.feed(body) == b""
    assert made.failed
    assert made.feed(gzip.compress(b"late")) == b""


def test_bytes_after_the_end_are_not_dropped_in_silence() -> None:
    """A deflate body with a tail is kept encoded rather than shortened."""
    made = new("deflate")
    made.feed(zlib.compress(b"a") + b"tail")
    assert made.failed


@pytest.mark.parametrize("encoding", ["", "identity", "compress", "gzip, br", "x" * 1000])
def test_unknown_encodings_have_no_decoder(encoding: str) -> None:
    """Neither an unknown name nor several encodings are guessed at."""
    assert decoder(encoding) is None


def test_no_library_no_decoder(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where brotli and zstd cannot be imported their bodies stay encoded."""

    def nothing(name: str) -> None:
        raise ImportError(name)

    monkeypatch.setattr(decoding, "import_module", nothing)
    assert decoder("br") is None
    assert decoder("zstd") is None


def test_second_choice_of_library(monkeypatch: pytest.MonkeyPatch) -> None:
    """mitmproxy 11 brings zstandard and not the newer library: it is taken where it is there."""

    def old_only(name: str) -> object:
        if name in ("compression.zstd", "backports.zstd"):
            raise ImportError(name)
        return import_module(name)

    monkeypatch.setattr(decoding, "import_module", old_only)
    made = decoder("zstd")
    there = find_spec("zstandard") is not None
    assert (made.feed(zstd.compress(TEXT)) if made is not None else None) == (TEXT if there else None)


def test_bomb_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A small piece that would fill the memory is given up."""
    monkeypatch.setattr(decoding, "_LARGEST", 1 << 20)
    made = new("gzip")
    assert made.feed(gzip.compress(bytes(8 << 20))) == b""
    assert made.failed
