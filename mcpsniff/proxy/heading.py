"""What a capture made by the proxy says about itself: the header record, and where the file lies."""

import os
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from urllib.parse import urlsplit

from mitmproxy.version import VERSION

from mcpsniff import __version__
from mcpsniff.capture.paths import default_path, expand

REVERSE = "reverse:"


def header(modes: Sequence[str], host_rewritten: bool, redacted: list[str]) -> dict[str, object]:
    """The header's fields, for a capture that starts now."""
    system = os.uname()
    upstreams = [upstream(mode) for mode in modes if mode.startswith(REVERSE)]
    fields: dict[str, object] = {
        "id": os.urandom(10).hex(),
        "started": datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ"),
        "tool": f"mcpsniff {__version__}",
        "transport": "http",
        "pid": os.getpid(),
        "platform": f"{system.sysname} {system.release} {system.machine}",
    }
    if len(upstreams) == 1:
        fields["upstream"] = upstreams[0]
    engine = {"engine": "mitmproxy", "version": VERSION, "mode": ", ".join(modes)}
    fields["proxy"] = engine | {"host_rewritten": host_rewritten and bool(upstreams)}
    if redacted:
        fields["redacted"] = redacted
    return fields


def upstream(mode: str) -> str:
    """The server's address in a reverse mode, such as `reverse:http://localhost:8000@8080`."""
    return mode.removeprefix(REVERSE).partition("@")[0]


def place(pattern: str | None, modes: Sequence[str]) -> str:
    """The path of the capture: the user's pattern, or one of its own named after the server."""
    now, pid = time.localtime(), os.getpid()
    if pattern is not None:
        return expand(pattern, now, pid)
    single = len(modes) == 1 and modes[0].startswith(REVERSE)
    return default_path(urlsplit(upstream(modes[0])).netloc if single else "http", now, pid)
