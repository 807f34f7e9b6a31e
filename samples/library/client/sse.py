"""The pieces of HTTP that both HTTP transports of the client need: connections, and reading an SSE stream."""

import contextlib
import socket
from collections.abc import Iterator
from http.client import HTTPConnection, HTTPResponse

from library.client.transport import ANSWER_TIMEOUT, ClientError

EVENTS = "text/event-stream"
HEADERS = {"User-Agent": "library-client/1.0.0"}


def connect(host: str, port: int) -> HTTPConnection:
    """Returns an open connection; ClientError where nobody answers."""
    connection = HTTPConnection(host, port, timeout=ANSWER_TIMEOUT)
    try:
        connection.connect()
    except OSError as problem:
        raise ClientError(f"{host}:{port} cannot be reached: {problem.strerror}.") from problem
    return connection


def cut(connection: HTTPConnection) -> None:
    """Closes a connection at once, also while another thread reads from it."""
    if connection.sock is not None:
        with contextlib.suppress(OSError):  # closed by the other end already
            connection.sock.shutdown(socket.SHUT_RDWR)
    connection.close()


def events(response: HTTPResponse) -> Iterator[tuple[str, str]]:
    """Yields name and data of each event of an SSE stream; comments and events without data are none."""
    name, data = "message", list[str]()
    while line := response.readline():
        field, _, value = line.decode().rstrip("\r\n").partition(":")
        value = value.removeprefix(" ")
        if field == "event":
            name = value
        elif field == "data":
            data.append(value)
        elif not field and not value:
            if data:
                yield name, "\n".join(data)
            name, data = "message", []
