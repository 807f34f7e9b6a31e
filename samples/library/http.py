"""HTTP for a server: one endpoint, both eras where the build has both, and the old HTTP+SSE transport beside it.

This room knows HTTP: reading a POST, answering with JSON or with an SSE stream, seeing that a client has gone.
What the eras ask of a request stands in http_modern.py, http_legacy.py and old_sse.py.
"""

import select
import signal
import socket
import sys
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import urlsplit

from library.build import Build
from library.event_log import EventLog
from library.http_legacy import LegacyEndpoint
from library.http_modern import ModernEndpoint
from library.jsonrpc import (
    Message,
    RpcError,
    checked,
    decode,
    encode,
    failure,
    readable_id,
)
from library.modern import wants_modern
from library.old_sse import OLD_POST_PATH, OLD_STREAM_PATH, OldSseEndpoint
from library.revisions import is_modern

PATH = "/mcp"
LONGEST_BODY = 4 * 1024 * 1024  # bytes
PATIENCE = 1.0  # seconds that open streams get to end in order when the server stops

_JSON = "application/json"
_EVENTS = "text/event-stream"
_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})


def serve_http(build: Build, address: str) -> int:
    """Serves at HOST:PORT until SIGINT or SIGTERM; says its URL on stderr once it listens."""
    host, _, port = address.rpartition(":")
    server = HttpServer((host, int(port)), build)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    print(f"http://{host}:{server.server_port}{PATH}", file=sys.stderr, flush=True)
    try:
        server.serve_forever(poll_interval=0.05)
    except KeyboardInterrupt:
        server.close_streams()
    return 0


class HttpServer(ThreadingHTTPServer):
    """One endpoint with the eras of its build; each connection has a thread."""

    daemon_threads = True

    def __init__(self, address: tuple[str, int], build: Build) -> None:
        super().__init__(address, Handler)
        self.modern = None if build.modern is None else ModernEndpoint(build.modern)
        self.legacy = LegacyEndpoint(build) if build.speaks_legacy else None
        self.old = OldSseEndpoint(build) if build.speaks_legacy else None
        self.paths = (PATH, OLD_STREAM_PATH, OLD_POST_PATH) if build.speaks_legacy else (PATH,)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Says nothing of clients that have gone, which is their right."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)

    def close_streams(self) -> None:
        """Ends what is open in order: a subscription gets its result."""
        if self.modern is not None:
            self.modern.open.stop_all(PATIENCE)
        if self.legacy is not None:
            self.legacy.close()
        if self.old is not None:
            self.old.close()


class Handler(BaseHTTPRequestHandler):
    """One connection of a client."""

    protocol_version = "HTTP/1.1"
    server_version = "library-server/1.0"
    sys_version = ""
    disable_nagle_algorithm = True  # an event is to arrive when it is written
    server: HttpServer

    def do_POST(self) -> None:
        """Takes one message, or in one old revision a batch."""
        body = self._body()
        path = urlsplit(self.path).path
        needed = () if path == OLD_POST_PATH else (_JSON, _EVENTS)
        if body is None or not self._is_welcome(*needed):
            return
        value: Any = None
        try:
            value = decode(body)
            self._post(path, value if isinstance(value, list) else checked(value))
        except RpcError as error:
            self.reply_json(400, failure(readable_id(value), error))

    def do_GET(self) -> None:
        """Opens or resumes a stream of a handshake-era session; nothing else is to be got here."""
        path = urlsplit(self.path).path
        if not self._is_welcome(_EVENTS):
            return
        if self.server.old is not None and path == OLD_STREAM_PATH:
            self.server.old.get(self)
        elif self.server.legacy is not None and path == PATH and not self._names_modern():
            self.server.legacy.get(self)
        else:
            self.reply(405, {"Allow": "POST"})

    def do_DELETE(self) -> None:
        """Ends a handshake-era session."""
        if not self._is_welcome():
            return
        if self.server.legacy is not None and urlsplit(self.path).path == PATH and not self._names_modern():
            self.server.legacy.delete(self)
        else:
            self.reply(405, {"Allow": "POST"})

    def header(self, name: str) -> str | None:
        """Returns a request header's value, None where it was not sent."""
        value: str | None = self.headers.get(name)
        return value

    def reply(self, status: int, headers: Mapping[str, str] | None = None, body: bytes = b"") -> None:
        """Sends a whole answer."""
        self.send_response(status)
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        if status != 204:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def reply_json(
        self, status: int, message: Message | list[Message], headers: Mapping[str, str] | None = None
    ) -> None:
        """Sends one JSON-RPC response, or the array that answers a batch."""
        self.reply(status, {"Content-Type": _JSON, **(headers or {})}, encode(message))

    def reply_events(self, log: EventLog, after: int = 0, id_prefix: str | None = None, preface: bytes = b"") -> bool:
        """Sends what the log holds and gets, as SSE, until it is finished; False where the client went away.

        With a prefix each event has an id; the preface is an event that goes ahead.
        """
        self.send_response(200)
        self.send_header("Content-Type", _EVENTS)
        self.send_header("Cache-Control", "no-cache")
        self.send_header("X-Accel-Buffering", "no")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        if preface:
            self._chunk(preface)
        try:
            for item in log.follow(after):
                if item is not None:
                    number, message = item
                    id = b"" if id_prefix is None else f"id: {id_prefix}-{number}\n".encode()
                    self._chunk(id + b"data: " + encode(message) + b"\n\n")
                elif self.client_is_gone():
                    return False
            self._chunk(b"")
        except OSError:
            self.close_connection = True
            return False
        return True

    def client_is_gone(self) -> bool:
        """Tells whether the client has closed the connection while its answer is still under way."""
        readable, _, _ = select.select([self.connection], [], [], 0)
        try:
            gone = bool(readable) and self.connection.recv(1, socket.MSG_PEEK) == b""
        except OSError:
            gone = True
        self.close_connection = self.close_connection or gone
        return gone

    def _post(self, path: str, value: Any) -> None:
        server = self.server
        asks_modern = self._names_modern() or (isinstance(value, dict) and wants_modern(value))
        if path == OLD_STREAM_PATH:
            self.reply(405, {"Allow": "GET"})
        elif path == OLD_POST_PATH and server.old is not None:
            server.old.post(self, urlsplit(self.path).query, value)
        elif server.modern is not None and (server.legacy is None or asks_modern):
            server.modern.post(self, value)
        elif server.legacy is not None:
            server.legacy.post(self, value)

    def _names_modern(self) -> bool:
        return is_modern(self.header("MCP-Protocol-Version") or "")

    def _is_welcome(self, *needed_types: str) -> bool:
        """Refuses another path, a web page of another origin, and a client that cannot read the answer."""
        origin = self.header("Origin")
        accepted = {part.split(";")[0].strip() for part in (self.header("Accept") or "").split(",")}
        if urlsplit(self.path).path not in self.server.paths:
            self.reply(404)
        elif origin is not None and urlsplit(origin).hostname not in _LOOPBACK:
            self.reply(403)
        elif "*/*" not in accepted and not accepted.issuperset(needed_types):
            self.reply(406)
        else:
            return True
        return False

    def _body(self) -> bytes | None:
        length = self.header("Content-Length") or ""
        if length.isdecimal() and int(length) <= LONGEST_BODY:
            return self.rfile.read(int(length))
        self.close_connection = True
        self.reply(413 if length.isdecimal() else 411)
        return None

    def _chunk(self, data: bytes) -> None:
        self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")

    def log_message(self, format: str, *args: Any) -> None:
        """Keeps quiet: the traffic is what mcpsniff shows."""
