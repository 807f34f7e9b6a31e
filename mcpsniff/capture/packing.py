"""Packs finished files of a capture with gzip or zstd: the packed file takes the place of the plain one.

Until the packed file is whole and on the disk the plain one stays, so a crash leaves a readable capture.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, BinaryIO

if TYPE_CHECKING:
    from types import ModuleType

SUFFIXES = {"gzip": ".gz", "zstd": ".zst"}
_CHUNK = 1 << 20  # bytes
_GZIP_LEVEL = 6


def zstd_module() -> ModuleType:
    """The module that reads and writes zstd; raises ImportError where there is none."""
    if sys.version_info >= (3, 14):
        from compression import zstd
    else:
        from backports import zstd
    return zstd


def pack(path: str, how: str) -> None:
    """Packs a file; raises OSError, or ImportError where the packer is missing, and leaves the file as it is then."""
    opened = _OPENERS[how]
    packed = path + SUFFIXES[how]
    fd = os.open(packed, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_CLOEXEC", 0), 0o600)
    try:
        with open(fd, "wb") as target, open(path, "rb") as source:
            with opened(target) as packer:
                while chunk := source.read(_CHUNK):
                    packer.write(chunk)
            target.flush()
            os.fsync(target.fileno())  # the only other copy is about to go
    except BaseException:
        os.unlink(packed)
        raise
    os.unlink(path)


def remove(path: str) -> None:
    """Removes a file, packed or not; raises OSError where it is there and cannot be removed."""
    for name in (path, *(path + suffix for suffix in SUFFIXES.values())):
        with suppress(FileNotFoundError):
            os.unlink(name)


def _gzip(target: BinaryIO) -> Any:
    from gzip import GzipFile

    return GzipFile("", "wb", _GZIP_LEVEL, target)


def _zstd(target: BinaryIO) -> Any:
    return zstd_module().ZstdFile(target, "wb")


_OPENERS: dict[str, Callable[[BinaryIO], Any]] = {"gzip": _gzip, "zstd": _zstd}
