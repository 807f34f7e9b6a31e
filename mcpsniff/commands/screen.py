"""What stdout is: how wide, whether it shows colours; and text as the bytes that it takes."""

from __future__ import annotations

import os
import shutil
import sys


def width() -> int | None:
    """Gives the columns of the terminal; None where stdout is none."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None


def colours() -> bool:
    """Whether stdout is a terminal that shows colours, and nobody asked for none (NO_COLOR)."""
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") in ("dumb", "unknown")
    return sys.stdout.isatty() and not plain


def text(*lines: str) -> bytes:
    """Gives lines as stdout's bytes; a character that its encoding has not is escaped."""
    return "\n".join((*lines, "")).encode(sys.stdout.encoding, "backslashreplace")
