"""`mcpsniff proxy`: stands between an HTTP client and its server; and the mitmproxy addon that does the work.

Two engines, one command: `tap` passes bytes on untouched and serves `http://` servers; `engine` is mitmproxy in this
process, for all else. `addon` serves `mitmdump -s addons/mcp.py` as well; it needs mitmproxy and the recording half of
the package alone.
"""

from collections.abc import Sequence
from typing import NamedTuple

from mcpsniff.errors import McpsniffError
from mcpsniff.relay import Keeping
from mcpsniff.wire.pointer import tokens


class Wishes(NamedTuple):
    """How to record."""

    write: str | None = None  # pattern of the capture's path
    redact: bool = True
    pointers: tuple[str, ...] = ()  # JSON Pointers to what is secret inside MCP messages
    live: bool = False  # tell of each message on stderr
    rewrite_host: bool = False  # tell the server its own address as Host
    keeping: Keeping = Keeping()


def run(urls: Sequence[str], listen: str = "127.0.0.1:8080", wishes: Wishes | None = None) -> str | None:
    """Relays and records until SIGINT, SIGTERM or SIGHUP, and gives the path of the capture.

    None where it could not be opened, which has been told; raises McpsniffError if the proxy cannot start otherwise.
    The first server is reached at `listen` (HOST:PORT; port 0 takes a free one), each further one at the next port;
    without a server it is a proxy that clients are told of in their environment. How is said on stderr.
    """
    from mcpsniff.proxy import ways

    servers = ways.ways(urls, listen)
    wishes = wishes or Wishes()
    for pointer in wishes.pointers:
        try:
            tokens(pointer)
        except ValueError as error:
            raise McpsniffError(f"--redact {error}.") from None
    if servers and all(way.upstream.startswith("http:") for way in servers):
        from mcpsniff.proxy import tap

        return tap.serve(servers, wishes)
    import asyncio

    from mcpsniff.proxy.engine import serve

    modes = [way.mode for way in servers] or ["regular@{}:{}".format(*ways.address(listen))]
    return asyncio.run(serve(modes, wishes, {way.upstream: way.path for way in servers}))
