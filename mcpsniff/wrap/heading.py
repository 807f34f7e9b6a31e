"""What a capture of wrap says about itself: the header record, and where the file lies."""

import os
import time

from mcpsniff import __version__
from mcpsniff.capture.paths import default_path, expand
from mcpsniff.wire.redact import Redactor
from mcpsniff.wrap.options import Settings

# What starts servers without being one: the name is that of the first argument that is no option.
_LAUNCHERS = ("python", "pypy", "node", "npx", "npm", "bun", "bunx", "deno", "uv", "uvx", "pipx", "sh", "bash", "env")
_VERBS = ("run", "exec", "x", "tool")


def header(settings: Settings, redactor: Redactor, started: float, pid: int | None) -> dict[str, object]:
    """The header's fields; `started` in seconds since the epoch, `pid` that of the server where it is known."""
    system = os.uname()
    fields: dict[str, object] = {
        "id": os.urandom(10).hex(),
        "started": _timestamp(started),
        "tool": f"mcpsniff {__version__}",
        "transport": "stdio",
        "command": redactor.command([_readable(word) for word in settings.command]),
        "cwd": _folder(),
        "pid": pid,
        "platform": f"{system.sysname} {system.release} {system.machine}",
        "redacted": [*redactor.hidden, *settings.redact] or None,
    }
    return {name: value for name, value in fields.items() if value is not None}


def place(settings: Settings, started: float, pid: int) -> str:
    """The path of the capture; `pid` is that of wrap."""
    now = time.localtime(started)
    if settings.write is not None:
        return expand(settings.write, now, pid)
    return default_path(_readable(server_name(settings.command)), now, pid)


def server_name(command: list[str]) -> str:
    """What to call the server: the file name of its program, or of what a launcher such as `npx` runs."""
    first = os.path.basename(command[0])
    if first.rstrip("0123456789.") not in _LAUNCHERS:
        return first
    words = (word for word in command[1:] if not word.startswith("-") and word not in _VERBS)
    return os.path.basename(next(words, first).rstrip("/")) or first


def _timestamp(seconds: float) -> str:
    micros = int(seconds * 1e6)
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(micros // 1_000_000)) + f".{micros % 1_000_000:06}Z"


def _folder() -> str | None:
    try:
        return _readable(os.getcwd())
    except OSError:  # it has been removed
        return None


def _readable(text: str) -> str:
    """Text that can stand in JSON: what is no UTF-8 becomes a replacement character."""
    return os.fsencode(text).decode("utf-8", "replace")
