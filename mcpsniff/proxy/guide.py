"""How to point a client at the proxy, in one line for each way in."""

import os
from collections.abc import Iterable, Iterator

from mcpsniff.proxy.heading import REVERSE, upstream


def lines(ways: Iterable[tuple[str, str, int]], confdir: str) -> Iterator[str]:
    """One line for each (mode, host, port) on which the proxy listens; `confdir` holds its certificate."""
    for mode, host, port in ways:
        address = _address(host, port)
        if mode.startswith(REVERSE):
            yield f"for {upstream(mode)} point the client at http://{address} (same path)"
        elif mode.startswith(("regular", "upstream")):
            yield (
                f"start the client with HTTP_PROXY=http://{address} HTTPS_PROXY=http://{address} "
                f"(Node: NODE_USE_ENV_PROXY=1 too) {certificate(confdir)}"
            )


def certificate(confdir: str) -> str:
    """The settings with which clients trust the proxy's certificate."""
    path = os.path.join(os.path.expanduser(confdir), "mitmproxy-ca-cert.pem")
    return f"SSL_CERT_FILE={path} (Node: NODE_EXTRA_CA_CERTS={path})"


def _address(host: str, port: int) -> str:
    if host in ("", "0.0.0.0", "::"):  # all interfaces: this machine is one of them
        host = "127.0.0.1"
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
