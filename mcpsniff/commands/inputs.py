"""The captures that a command line names: files, folders, globs, and all parts of one by its name."""

from __future__ import annotations

import glob
import os
from collections.abc import Sequence

from mcpsniff.capture.packing import SUFFIXES
from mcpsniff.capture.parts import Files, grouped
from mcpsniff.capture.paths import unnumbered

PACKED = tuple(SUFFIXES.values())
ENDINGS = (".jsonl", *(f".jsonl{suffix}" for suffix in PACKED))  # of the captures in a folder
NUMBER = "-" + "[0-9]" * 5  # of a part, before the suffix of its file


def captures(names: Sequence[str]) -> list[Files]:
    """Gives the captures that names stand for, each with its files: the parts of one that was rotated go together.

    A file that several names stand for is read once.
    """
    once: dict[str, str] = {}
    for name in names:
        for path in files(name):
            once.setdefault(os.path.normpath(path), path)
    return grouped(list(once.values()))


def files(name: str) -> list[str]:
    """Gives the files that a name stands for: itself, the captures of a folder, what matches a glob, or "-".

    The name given to a capture that was written in parts, or packed, stands for these. What is not found stands for
    itself.
    """
    if os.path.isdir(name):
        return [path for path in _files(os.path.join(glob.escape(name), "*")) if path.endswith(ENDINGS)] or [name]
    if name == "-" or os.path.exists(name):
        return [name]
    return (_files(name) if glob.has_magic(name) else _written_as(name)) or [name]


def _written_as(name: str) -> list[str]:
    """Gives the files that were made of a capture of this name."""
    packed = [path for suffix in PACKED if os.path.exists(path := name + suffix)]
    stem, suffix = os.path.splitext(name)
    pattern = f"{glob.escape(stem)}{NUMBER}{glob.escape(suffix)}*"
    return packed or [path for path in _files(pattern) if path.endswith((suffix, *PACKED))]


def _files(pattern: str) -> list[str]:
    """Gives the files of a glob, each once, also where a recorder is at work on them."""
    found = (_plain(path) for path in sorted(glob.glob(pattern, recursive=True)))
    return [path for path in dict.fromkeys(found) if not (os.path.isdir(path) or _is_unbegun(path))]


def _plain(path: str) -> str:
    """Gives the plain file that a packed one is being made of; the path itself where there is none (any more)."""
    stem, suffix = os.path.splitext(path)
    return stem if suffix in PACKED and os.path.exists(stem) else path


def _is_unbegun(path: str) -> bool:
    """Whether this is a part that has its name, and nothing in it yet."""
    try:
        return unnumbered(path) != path and os.path.getsize(path) == 0
    except OSError:
        return False
