"""The captures that a command line names."""

from __future__ import annotations

import glob
import os


def files(pattern: str) -> list[str]:
    """Gives the files, not folders, that a glob names; a pattern that names none stands for itself."""
    if pattern == "-" or os.path.exists(pattern) or not glob.has_magic(pattern):
        return [pattern]
    return sorted(path for path in glob.glob(pattern, recursive=True) if not os.path.isdir(path)) or [pattern]
