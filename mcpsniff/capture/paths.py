"""Where captures lie: the default place, the user's pattern, and a name beside one that is taken."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterator

_NAME_LENGTH = 60  # characters of the server's name kept in a file name


def default_path(name: str, now: time.struct_time, pid: int) -> str:
    """A path in the platform's state folder, named after the server, the local time and the process."""
    safe = re.sub(r"[^A-Za-z0-9._-]+", "-", name).strip("-.")[:_NAME_LENGTH] or "capture"
    stamp = time.strftime("%Y%m%d-%H%M%S", now)
    return os.path.join(_state_folder(), "captures", f"{safe}-{stamp}-{pid}.jsonl")


def expand(pattern: str, now: time.struct_time, pid: int) -> str:
    """A user's pattern with strftime's codes filled in, and `%p` (the process id) and `%%`."""
    own = {"%%": "%", "%p": str(pid)}
    return re.sub("%.", lambda code: own.get(code[0]) or time.strftime(code[0], now), pattern)


def candidates(path: str, pid: int) -> Iterator[str]:
    """`path`, then the names to take where it exists: `-PID` before the suffix, then `-PID-2` and so on."""
    yield path
    stem, suffix = os.path.splitext(path)
    yield f"{stem}-{pid}{suffix}"
    number = 2
    while True:
        yield f"{stem}-{pid}-{number}{suffix}"
        number += 1


def numbered(path: str, number: int) -> str:
    """The path of a part of a rotation: its number before the suffix, in digits that sort."""
    stem, suffix = os.path.splitext(path)
    return f"{stem}-{number:05}{suffix}"


def unnumbered(path: str) -> str:
    """The path without the number that `numbered` has put there."""
    stem, suffix = os.path.splitext(path)
    return re.sub(r"-\d{5,}$", "", stem) + suffix


def _state_folder() -> str:
    try:
        from platformdirs import user_state_dir
    except ImportError:  # a closed mitmproxy brings no platformdirs
        base = os.environ.get("XDG_STATE_HOME") or os.path.expanduser("~/.local/state")
        return os.path.join(base, "mcpsniff")
    return user_state_dir("mcpsniff", appauthor=False)
