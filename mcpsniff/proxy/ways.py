"""What the user asked of the proxy: servers, and where each is reached."""

from collections.abc import Sequence
from typing import NamedTuple
from urllib.parse import SplitResult, urlsplit

from mcpsniff.errors import McpsniffError

_PORTS = {"http": 80, "https": 443}


class Way(NamedTuple):
    """One server, and the address at which the proxy stands for it."""

    upstream: str  # scheme, host and port of the server; a client's path is passed on as it is
    path: str  # of the URL that was given: what a client will most likely ask for; may be ""
    host: str  # to listen on
    port: int  # 0 takes a free one

    @property
    def mode(self) -> str:
        """In mitmproxy's spelling."""
        return f"reverse:{self.upstream}@{self.host}:{self.port}"

    @property
    def authority(self) -> str:
        """The server's host and port, as they stand in its URL."""
        return urlsplit(self.upstream).netloc

    @property
    def server(self) -> tuple[str, int]:
        """The server's host and port."""
        parts = urlsplit(self.upstream)
        return parts.hostname or "", parts.port or _PORTS[parts.scheme]


def ways(urls: Sequence[str], listen: str) -> list[Way]:
    """The first server is reached at `listen` (HOST:PORT), each further one at the next port; McpsniffError if none."""
    host, port = address(listen)
    servers = [_server(url) for url in urls]
    return [
        Way(f"{server.scheme}://{server.netloc.rpartition('@')[2]}", server.path, host, port and port + i)
        for i, server in enumerate(servers)
    ]


def address(listen: str) -> tuple[str, int]:
    """Host and port of HOST:PORT; raises McpsniffError on anything else."""
    host, _, port = listen.rpartition(":")
    if not host or not port.isdecimal() or int(port) > 65535:
        raise McpsniffError(f"--listen {listen}: give HOST:PORT, such as 127.0.0.1:8080.")
    return host.strip("[]"), int(port)


def _server(url: str) -> SplitResult:
    try:
        parts = urlsplit(url)
        known = bool(parts.scheme in _PORTS and parts.hostname)
    except ValueError:
        known = False
    if not known:
        raise McpsniffError(
            f"{url}: give the server's address with http:// or https://, such as http://localhost:8000."
        )
    try:
        known = parts.port != 0
    except ValueError:
        known = False
    if not known:
        raise McpsniffError(f"{url}: its port must be a number from 1 to 65535.")
    return parts
