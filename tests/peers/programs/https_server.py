"""Serves an app of server_py2.py by TLS, over HTTP/2 and HTTP/1.1: `https_server.py APP CERTIFICATE`.

CERTIFICATE is a file with the certificate for localhost and its key. Says its URL in one line on stdout.
"""

import asyncio
import socket
import sys

from hypercorn.asyncio import serve
from hypercorn.config import Config
from server_py2 import APPS


def main(app: str, certificate: str) -> None:
    """Runs until it is killed."""
    listening = socket.create_server(("127.0.0.1", 0))
    config = Config.from_mapping(
        bind=f"fd://{listening.fileno()}", certfile=certificate, keyfile=certificate, loglevel="WARNING"
    )
    print(f"https://localhost:{listening.getsockname()[1]}/mcp", flush=True)
    asyncio.run(serve(APPS[app](), config))


if __name__ == "__main__":
    main(*sys.argv[1:])
