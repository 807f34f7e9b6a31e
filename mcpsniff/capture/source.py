"""The bytes of a capture, from a path, standard input or an open file, unpacked where they are packed.

Packing is told by the first bytes, not by the name.
"""

from __future__ import annotations

import gzip
import io
import zlib
from collections.abc import Callable
from typing import Any, BinaryIO, cast

from mcpsniff.capture.packing import zstd_module
from mcpsniff.errors import McpsniffError

_BUFFER = 1 << 20  # bytes
_GZIP, _ZSTD = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"


class Source:
    """Lines of bytes, split on LF alone, and how far the input has been read."""

    def __init__(self, source: str | BinaryIO) -> None:
        """Opens a path, "-" for standard input, or takes an open file; raises McpsniffError where it cannot."""
        self.name = _name(source)
        self.broken: tuple[type[Exception], ...] = (EOFError, zlib.error, gzip.BadGzipFile)  # of packed data
        self._file = _open(source) if isinstance(source, str) else source
        self._owned = isinstance(source, str)
        self._packed = _Stream(self._file.read)
        self.lines = packed = io.BufferedReader(self._packed, _BUFFER)
        try:
            self.lines = self._unpacked(packed)
        except McpsniffError:
            self.close()
            raise

    @property
    def bytes_read(self) -> int:
        """Bytes taken from the input, packed ones where it is packed."""
        return self._packed.count

    def close(self) -> None:
        """Closes what was opened here."""
        self.lines.close()
        if self._owned:
            self._file.close()

    def _unpacked(self, packed: io.BufferedReader[_Stream]) -> io.BufferedReader[_Stream]:
        try:
            start = packed.peek(4)[:4]
        except OSError as error:
            raise McpsniffError(f"{self.name} cannot be read: {error.strerror}.") from None
        if start.startswith(_GZIP):
            return io.BufferedReader(_Stream(gzip.GzipFile(fileobj=packed).read1), _BUFFER)
        if start == _ZSTD:
            return io.BufferedReader(_Stream(self._zstd_file(packed).read1), _BUFFER)
        return packed

    def _zstd_file(self, packed: io.BufferedReader[_Stream]) -> io.BufferedIOBase:
        try:
            zstd = zstd_module()
        except ImportError:
            raise McpsniffError(f"{self.name} is packed with zstd: install backports.zstd to read it.") from None
        self.broken += (zstd.ZstdError,)
        file: io.BufferedIOBase = zstd.ZstdFile(packed)
        return file


class _Stream(io.RawIOBase):
    """What a `read` function gives, piece by piece: of a file cut short all that comes before the error."""

    def __init__(self, read: Callable[[int], bytes]) -> None:
        super().__init__()
        self._read = read
        self.count = 0  # bytes

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        data = self._read(len(buffer))
        buffer[: len(data)] = data
        self.count += len(data)
        return len(data)


def _name(source: str | BinaryIO) -> str:
    if isinstance(source, str):
        return "standard input" if source == "-" else source
    return str(getattr(source, "name", "the input"))


def _open(path: str) -> BinaryIO:
    if not path:
        raise McpsniffError("An empty name is no capture: give the path of one, or - for standard input.")
    try:
        if path == "-":
            return cast(BinaryIO, open(0, "rb", buffering=0, closefd=False))
        return cast(BinaryIO, open(path, "rb", buffering=0))
    except IsADirectoryError:
        raise McpsniffError(f"{path} is a folder, and no capture lies in it.") from None
    except OSError as error:
        raise McpsniffError(f"{_name(path)} cannot be read: {error.strerror}.") from None
