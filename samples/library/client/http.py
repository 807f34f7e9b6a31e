"""The HTTP transport of the client: a POST for each message, answered by JSON or by an SSE stream.

A message of the modern era brings its own headers along; in the handshake era they come from the session.
"""

import threading
from collections.abc import Callable, Iterator
from http.client import HTTPConnection, HTTPException, HTTPResponse
from urllib.parse import urlsplit

from library.client.old_sse import OldSseTransport, open_old_sse
from library.client.sse import EVENTS, HEADERS, connect, cut, events
from library.client.transport import ClientError, HttpRefusal, Pending
from library.jsonrpc import Message, RpcError, checked, decode, encode, is_request, is_response
from library.revisions import NAME_SOURCE, VERSION_HEADER_SINCE, VERSION_KEY, header_value

SESSION_HEADER = "Mcp-Session-Id"
_BOTH = "application/json, text/event-stream"


class HttpTransport:
    """One endpoint; idle connections are used again."""

    closing_cancels = True

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        if parts.scheme != "http" or parts.hostname is None:
            raise ClientError(f"{url} is not an http:// URL.")
        self.on_message: Callable[[Message], None] = lambda message: None
        self._host, self._port, self._path = parts.hostname, parts.port or 80, parts.path or "/"
        self._idle: list[HTTPConnection] = []
        self._session: dict[str, str] = {}
        self._standing: HTTPConnection | None = None

    def start(self, request: Message) -> Pending:
        """Sends a request and returns at once."""
        pending = Pending(request["id"])
        connection = self._connection()
        pending.abandon = lambda: cut(connection)
        threading.Thread(target=self._exchange, args=(connection, request, pending), daemon=True).start()
        return pending

    def send(self, message: Message) -> None:
        """Posts a notification or a response; HttpRefusal where the server does not accept it."""
        connection = self._connection()
        try:
            response = self._post(connection, message)
            response.read()
        except (OSError, HTTPException) as problem:
            raise ClientError("The connection was closed before the server had taken a message.") from problem
        self._idle.append(connection)
        if response.status != 202:
            raise HttpRefusal(response.status)

    def begin_session(self, initialize: Pending, revision: str) -> None:
        """Sends session id and version along from now on, as far as there are any."""
        if initialize.session_id is not None:
            self._session[SESSION_HEADER] = initialize.session_id
        if revision >= VERSION_HEADER_SINCE:
            self._session["MCP-Protocol-Version"] = revision

    def open_standing_stream(self) -> None:
        """Opens the GET stream, over which a session gets what belongs to no request."""
        self._standing = self._connection()
        self._standing.request("GET", self._path, headers={**HEADERS, **self._session, "Accept": EVENTS})
        response = self._standing.getresponse()
        if response.status == 200:
            threading.Thread(target=self._read_standing, args=(response,), daemon=True).start()

    def older(self) -> OldSseTransport | None:
        """Returns the HTTP+SSE transport where a GET brings the `endpoint` event with which such a server begins."""
        return open_old_sse(self._host, self._port, self._path)

    def close(self) -> None:
        """Ends the session, where there is one, and all connections."""
        if SESSION_HEADER in self._session:
            connection = self._connection()
            connection.request("DELETE", self._path, headers={**HEADERS, **self._session})
            connection.getresponse().read()  # 405 is a legal answer: the server ends sessions as it likes
            connection.close()
            self._session.clear()
        if self._standing is not None:
            cut(self._standing)
        while self._idle:
            self._idle.pop().close()

    def _exchange(self, connection: HTTPConnection, request: Message, pending: Pending) -> None:
        try:
            response = self._post(connection, request)
            pending.session_id = response.headers.get(SESSION_HEADER)
            for message in _messages(response):
                if is_response(message):
                    pending.answered(message)
                else:
                    self.on_message(message)
            self._idle.append(connection)
            pending.failed(HttpRefusal(response.status))
        except (OSError, HTTPException, ValueError, AttributeError):  # what http.client raises when it is cut off
            pending.failed(ClientError("The connection was closed before the answer came."))

    def _read_standing(self, response: HTTPResponse) -> None:
        try:
            for message in _messages(response):
                self.on_message(message)
        except (OSError, HTTPException, ValueError, AttributeError):
            pass  # closed at the end of the session

    def _post(self, connection: HTTPConnection, message: Message) -> HTTPResponse:
        headers = {**HEADERS, "Content-Type": "application/json", "Accept": _BOTH}
        version = message.get("params", {}).get("_meta", {}).get(VERSION_KEY)
        headers |= self._session if version is None else _mirrored(message, version)
        connection.request("POST", self._path, encode(message), headers)
        return connection.getresponse()

    def _connection(self) -> HTTPConnection:
        if self._idle:
            return self._idle.pop()
        return connect(self._host, self._port)


def _mirrored(message: Message, version: str) -> dict[str, str]:
    """Returns the headers that repeat what a modern message says in its body."""
    headers = {"MCP-Protocol-Version": version}
    if is_request(message):
        headers["Mcp-Method"] = message["method"]
        source = NAME_SOURCE.get(message["method"])
        if source is not None:
            headers["Mcp-Name"] = header_value(message["params"][source])
    return headers


def _messages(response: HTTPResponse) -> Iterator[Message]:
    """Yields the messages of an answer, as they come; none where the body holds none."""
    if response.headers.get_content_type() == EVENTS:
        texts = (data.encode() for _, data in events(response) if data)
    else:
        texts = (body for body in (response.read(),) if body)
    for text in texts:
        try:
            yield checked(decode(text))
        except RpcError:
            continue
