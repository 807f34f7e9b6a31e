"""How to point a client at the proxy: an address, and a configuration to paste."""

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from urllib.parse import urlsplit

from mcpsniff.proxy.heading import REVERSE, upstream


def lines(ways: Iterable[tuple[str, str, int]], confdir: str, paths: Mapping[str, str]) -> Iterator[str]:
    """The lines for each (mode, host, port) on which the proxy listens; what is meant to be pasted stands alone.

    `confdir` holds its certificate; `paths` are those of the servers' URLs, where they are known.
    """
    for mode, host, port in ways:
        address = _address(host, port)
        if mode.startswith(REVERSE):
            yield from _reverse(upstream(mode), f"http://{address}", paths.get(upstream(mode), ""))
        elif mode.startswith(("regular", "upstream")):
            yield "mcpsniff: start the client with this in its environment:"
            yield f"HTTP_PROXY=http://{address} HTTPS_PROXY=http://{address} {certificate(confdir)}"
            yield "mcpsniff: and for Node.js NODE_USE_ENV_PROXY=1 too (version 24 or newer)"


def certificate(confdir: str) -> str:
    """The settings with which clients trust the proxy's certificate."""
    path = os.path.join(os.path.expanduser(confdir), "mitmproxy-ca-cert.pem")
    return f"SSL_CERT_FILE={path} NODE_EXTRA_CA_CERTS={path}"


def _reverse(server: str, address: str, path: str) -> Iterator[str]:
    if path.strip("/"):
        yield f"mcpsniff: for {server}{path} point the client at {address}{path}"
        entry = {urlsplit(server).netloc.replace(":", "-"): {"type": "http", "url": address + path}}
        yield json.dumps({"mcpServers": entry})
    else:
        yield f"mcpsniff: for {server} point the client at {address} (same path)"


def _address(host: str, port: int) -> str:
    if host in ("", "0.0.0.0", "::"):  # all interfaces: this machine is one of them
        host = "127.0.0.1"
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
