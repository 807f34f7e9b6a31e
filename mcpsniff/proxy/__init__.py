"""`mcpsniff proxy`: stands between an HTTP client and its server; and the mitmproxy addon that does the work.

`addon` serves `mitmdump -s addons/mcp.py` as well; it needs mitmproxy and the recording half of the package alone.
"""

from collections.abc import Sequence
from urllib.parse import urlsplit

from mcpsniff.errors import McpsniffError


def run(urls: Sequence[str], listen: str = "127.0.0.1:8080", write: str | None = None, *, redact: bool = True) -> int:
    """Relays and records until SIGINT or SIGTERM, and gives the exit status; raises McpsniffError if it cannot start.

    The first server is reached at `listen` (HOST:PORT; port 0 takes a free one), each further one at the next port.
    `write` is the pattern of the capture's path. What to tell the client is said on stderr.
    """
    host, port = _address(listen)
    modes = [f"reverse:{_server(url)}@{host}:{port and port + i}" for i, url in enumerate(urls)]
    import asyncio

    from mcpsniff.proxy.engine import serve

    return asyncio.run(serve(modes, write, redact))


def _address(listen: str) -> tuple[str, int]:
    host, _, port = listen.rpartition(":")
    if not host or not port.isdecimal() or int(port) > 65535:
        raise McpsniffError(f"--listen {listen}: give HOST:PORT, such as 127.0.0.1:8080.")
    return host.strip("[]"), int(port)


def _server(url: str) -> str:
    """Scheme, host and port of the server; the client's path is passed on as it is."""
    try:
        parts = urlsplit(url)
        known = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0  # a bad port raises
    except ValueError:
        known = False
    if not known:
        raise McpsniffError(
            f"{url}: give the server's address with http:// or https://, such as http://localhost:8000."
        )
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"
