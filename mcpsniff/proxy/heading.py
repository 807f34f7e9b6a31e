"""What a capture made by the proxy says about itself: the header record, and where the file lies."""

import os
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import NamedTuple
from urllib.parse import urlsplit

from mcpsniff import __version__
from mcpsniff.capture.paths import default_path, expand

REVERSE = "reverse:"


class Engine(NamedTuple):
    """What relays."""

    name: str  # "tap" or "mitmproxy"
    version: str
    modes: Sequence[str]  # as mitmproxy writes them, such as `reverse:http://localhost:8000@127.0.0.1:8080`
    rewrites_host: bool  # in reverse mode


def header(engine: Engine, redacted: list[str], started: float, pid: int) -> dict[str, object]:
    """The header's fields; `started` in seconds since the epoch, `pid` that of the proxy."""
    system = os.uname()
    upstreams = [upstream(mode) for mode in engine.modes if mode.startswith(REVERSE)]
    fields: dict[str, object] = {
        "id": os.urandom(10).hex(),
        "started": datetime.fromtimestamp(started, UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ"),
        "tool": f"mcpsniff {__version__}",
        "transport": "http",
        "pid": pid,
        "platform": f"{system.sysname} {system.release} {system.machine}",
    }
    if len(upstreams) == 1:
        fields["upstream"] = upstreams[0]
    fields["proxy"] = {
        "engine": engine.name,
        "version": engine.version,
        "mode": ", ".join(engine.modes),
        "host_rewritten": engine.rewrites_host and bool(upstreams),
    }
    if redacted:
        fields["redacted"] = redacted
    return fields


def upstream(mode: str) -> str:
    """The server's address in a reverse mode, such as `reverse:http://localhost:8000@8080`."""
    return mode.removeprefix(REVERSE).partition("@")[0]


def places(pattern: str | None, modes: Sequence[str], pid: int, started: float) -> Callable[[float], str]:
    """What gives the path of a file of the capture that begins `t` seconds after `started` (since the epoch).

    It is the user's pattern, or one of its own named after the server; `pid` is the proxy's.
    """
    single = len(modes) == 1 and modes[0].startswith(REVERSE)
    name = urlsplit(upstream(modes[0])).netloc if single else "http"

    def place(t: float) -> str:
        now = time.localtime(started + t)
        return default_path(name, now, pid) if pattern is None else expand(pattern, now, pid)

    return place
