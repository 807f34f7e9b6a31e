"""The captures that a command line names: files, folders, globs, and all parts of one by its name."""

from __future__ import annotations

import glob
import os
from collections.abc import Sequence

from mcpsniff.capture.packing import SUFFIXES
from mcpsniff.capture.parts import Files, grouped

PACKED = tuple(SUFFIXES.values())
ENDINGS = (".jsonl", *(f".jsonl{suffix}" for suffix in PACKED))  # of the captures in a folder
NUMBER = "-" + "[0-9]" * 5  # of a part, before the suffix of its file


def captures(names: Sequence[str]) -> list[Files]:
    """Gives the captures that names stand for, each with its files: the parts of one that was rotated go together."""
    return grouped([path for name in names for path in files(name)])


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
    stem, suffix = map(glob.escape, os.path.splitext(name))
    return packed or [path for end in ("", *PACKED) for path in _files(f"{stem}{NUMBER}{suffix}{end}")]


def _files(pattern: str) -> list[str]:
    return sorted(path for path in glob.glob(pattern, recursive=True) if not os.path.isdir(path))
