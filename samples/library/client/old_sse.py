"""The client's side of the old HTTP+SSE transport (2024-11-05): everything of the server comes over one stream."""

import threading
from collections.abc import Callable, Iterator
from http.client import HTTPConnection, HTTPException
from urllib.parse import urljoin, urlsplit

from library.client.sse import EVENTS, HEADERS, connect, cut, events
from library.client.transport import ClientError, HttpRefusal, Pending, Waiting
from library.jsonrpc import Message, RpcError, checked, decode, encode, is_response


def open_old_sse(host: str, port: int, path: str) -> "OldSseTransport | None":
    """Opens the stream with a GET; None where its first event is not `endpoint`."""
    connection = connect(host, port)
    try:
        connection.request("GET", path, headers={**HEADERS, "Accept": EVENTS})
        response = connection.getresponse()
        is_stream = response.status == 200 and response.headers.get_content_type() == EVENTS
        stream = events(response) if is_stream else iter(())
        name, endpoint = next(stream, ("", ""))
    except (OSError, HTTPException):
        name, endpoint = "", ""
    if name != "endpoint":
        cut(connection)
        return None
    return OldSseTransport(host, port, urljoin(path, endpoint), connection, stream)


class OldSseTransport:
    """One standing stream and the path to post to."""

    closing_cancels = False

    def __init__(
        self, host: str, port: int, endpoint: str, connection: HTTPConnection, stream: Iterator[tuple[str, str]]
    ) -> None:
        self.on_message: Callable[[Message], None] = lambda message: None
        parts = urlsplit(endpoint)
        self._host, self._port, self._target = host, port, f"{parts.path}?{parts.query}"
        self._connection = connection
        self._waiting = Waiting()
        threading.Thread(target=self._read, args=(stream,), daemon=True).start()

    def start(self, request: Message) -> Pending:
        """Posts a request and returns as soon as it is taken."""
        pending = self._waiting.add(request["id"])
        self.send(request)
        return pending

    def send(self, message: Message) -> None:
        """Posts a message; HttpRefusal where the server does not take it."""
        connection = connect(self._host, self._port)
        connection.request("POST", self._target, encode(message), {**HEADERS, "Content-Type": "application/json"})
        response = connection.getresponse()
        response.read()
        connection.close()
        if not 200 <= response.status < 300:
            raise HttpRefusal(response.status)

    def begin_session(self, initialize: Pending, revision: str) -> None:
        """Has nothing to take over: the stream is the session."""

    def open_standing_stream(self) -> None:
        """Has nothing to open: the stream stands."""

    def older(self) -> None:
        """Has none: this is the oldest."""

    def close(self) -> None:
        """Closes the stream, and with it the session."""
        cut(self._connection)

    def _read(self, stream: Iterator[tuple[str, str]]) -> None:
        try:
            for name, data in stream:
                if name == "message":
                    self._take(data)
        except (OSError, HTTPException, ValueError, AttributeError):
            pass  # what http.client raises when the stream is cut
        self._waiting.lose(ClientError("The stream was closed before the answer came."))

    def _take(self, data: str) -> None:
        try:
            message = checked(decode(data.encode()))
        except RpcError:
            return
        take = self._waiting.take if is_response(message) else self.on_message
        take(message)
