"""Where the answer goes: stdout, quiet when its reader has gone, or a file."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from mcpsniff.errors import McpsniffError
from mcpsniff.wire.visible import visible


@contextmanager
def to_a_reader() -> Iterator[None]:
    """Lets stdout's reader leave early, as `head` does, without a word; raises McpsniffError where a disk is full."""
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:
        _discard()
    except OSError as error:
        _discard()
        raise McpsniffError(f"Standard output cannot be written: {error.strerror}.") from None


def _discard() -> None:
    """Lets what stdout still holds go nowhere, lest Python fails on it once more when it ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def put(data: bytes) -> None:
    """Writes a piece of an answer that comes in pieces to stdout."""
    sys.stdout.buffer.write(data)


def say(text: str) -> None:
    """Says something on stderr."""
    print(f"mcpsniff: {visible(text)}", file=sys.stderr)


def write(data: bytes, path: str | None) -> None:
    """Writes the answer to stdout where `path` is None, else to a file; a new one is private, as captures are."""
    if path is None:
        with to_a_reader():
            sys.stdout.buffer.write(data)
        return
    try:
        with open(path, "wb", opener=_private) as file:
            file.write(data)
    except OSError as error:
        raise McpsniffError(f"{path} cannot be written: {error.strerror}.") from None


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)
