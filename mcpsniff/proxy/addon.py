"""The mitmproxy addon: flow events → `capture.http`. It holds the state, so that a reload of the script loses nothing.

Event streams and everything of MCP are streamed, never held back; no byte is changed; nothing here waits.
"""

import logging
import os
import time
from collections.abc import Callable, Iterable, Mapping, Sequence

from mitmproxy import connection, ctx, exceptions, http, tls
from mitmproxy.addonmanager import Loader
from mitmproxy.log import ALERT
from mitmproxy.net.http.http1.assemble import assemble_request_head, assemble_response_head
from mitmproxy.proxy import server_hooks
from mitmproxy.version import VERSION

from mcpsniff.capture.body import Entry
from mcpsniff.capture.heads import RequestHead, ResponseHead, as_text
from mcpsniff.capture.http import Exchange, HttpRecorder
from mcpsniff.capture.recognise import Verdict
from mcpsniff.capture.writer import CaptureWriter
from mcpsniff.proxy import ends, guide, heading, patience
from mcpsniff.wire.pointer import tokens
from mcpsniff.wire.redact import Redactor

log = logging.getLogger(__name__)

Tap = Callable[[bytes], bytes | Iterable[bytes]]


class _Connection:
    """A client connection, and what its exchanges need to know of it."""

    def __init__(self, name: str) -> None:
        self.name = name  # in the capture
        self.active = 0.0  # when something last passed on it, seconds
        self.unreached: str | None = None  # why the server could not be reached for it, just now


class _Live:
    """An exchange that is not over, with what the engine knows of it."""

    def __init__(self, exchange: Exchange, conn: _Connection) -> None:
        self.exchange = exchange
        self.conn = conn
        self.upload: list[bytes] | None = None  # pieces of the request's body, where it is streamed
        self.tapped = False  # the response's body comes piece by piece

    def uploaded(self, _: float, piece: bytes) -> None:
        """Keep a piece of the request's body."""
        if self.upload is not None:
            self.upload.append(piece)


class McpCapture:
    """Records the MCP traffic that passes through mitmproxy to one capture.

    `paths` are those of the servers' URLs, where known; `observe` is told of each entry of the capture.
    """

    def __init__(self, paths: Mapping[str, str] | None = None, observe: Callable[[Entry], None] | None = None) -> None:
        self.path: str | None = None  # of the capture, once it is open
        self._paths = paths or {}
        self._observe = observe
        self._recorder: HttpRecorder | None = None
        self._settings: tuple[str | None, str, tuple[str, ...]] = (None, "true", ())  # the options, in their order
        self._start = 0.0
        self._live: dict[str, _Live] = {}
        self._connections: dict[str, _Connection] = {}
        self._connected = 0
        self._told = False  # that the capture has gaps

    # Life of the addon

    def load(self, loader: Loader) -> None:
        """Declares the options."""
        loader.add_option(
            "mcp_capture",
            str | None,  # type: ignore[arg-type]  # a union is taken all the same
            None,
            "File to capture MCP traffic to: strftime codes and %p (process id) are filled in, a file that exists is "
            "not touched. Default: a new file in mcpsniff's state folder.",
        )
        loader.add_option(  # a str, as mitmproxy would drop a script in silence whose bool is misspelt
            "mcp_redact", str, "true", "true or false: hide tokens, cookies and keys before they are written."
        )
        loader.add_option(
            "mcp_redact_pointers",
            Sequence[str],
            (),
            "JSON Pointers to what is to be hidden inside MCP messages too, such as /params/arguments/pin.",
        )

    def configure(self, updated: set[str]) -> None:
        """Checks the options; what is wrong is logged as an error, which ends mitmproxy's start."""
        if not updated & {"mcp_capture", "mcp_redact", "mcp_redact_pointers"}:
            return
        options = ctx.options
        settings = (options.mcp_capture, options.mcp_redact, tuple(options.mcp_redact_pointers))
        if self._recorder is not None and settings != self._settings:
            raise exceptions.OptionsError("mcp_capture and mcp_redact* cannot change while mitmproxy runs: restart it.")
        self._settings = settings
        if settings[0] == "":
            log.error("the name of the capture file is empty: give one, or leave the option away.")
        if settings[1] not in ("true", "false"):
            log.error(f"mcp_redact is {settings[1]!r}: it must be true or false.")
        for pointer in settings[2]:
            try:
                tokens(pointer)
            except ValueError as error:
                log.error(f"mcp_redact_pointers: {error}.")

    def running(self) -> None:
        """Opens the capture, and says where it is and how to point a client here."""
        patience.extend()
        if self._recorder is None:
            self._recorder = self._begin()
        if self._recorder is None:
            return
        log.log(ALERT, f"mcpsniff: capturing to {self._recorder.writer.path}")
        proxy = ctx.master.addons.get("proxyserver")
        ways = [(way.mode.full_spec, *address[:2]) for way in proxy.servers for address in way.listen_addrs]
        for line in guide.lines(ways, ctx.options.confdir, self._paths):
            log.log(ALERT, line)

    def done(self) -> None:
        """Ends the capture; unless the script is only reloaded, which mitmproxy announces in the same way."""
        if self._recorder is None or not ctx.master.should_exit.is_set():
            return
        t = self._now()
        for live in self._live.values():
            live.exchange.end(t, "open", "shutdown")
        self._live.clear()
        if self._recorder.given_up:
            log.warning(f"mcpsniff: {self._recorder.given_up} exchanges were given up before they could be recognised")
        self._recorder.writer.end(t)
        self._recorder = None

    def client_disconnected(self, client: connection.Client) -> None:
        """Forgets the connection."""
        self._connections.pop(client.id, None)

    def server_connect_error(self, data: server_hooks.ServerConnectionHookData) -> None:
        """Remembers that the server could not be reached; the exchange's own end is told by `error`."""
        self._connection(data.client).unreached = "upstream"

    def tls_failed_server(self, data: tls.TlsData) -> None:
        """Remembers that the server was reached, but not by TLS."""
        self._connection(data.context.client).unreached = "tls"

    def server_connected(self, data: server_hooks.ServerConnectionHookData) -> None:
        """Forgets an earlier failure."""
        self._connection(data.client).unreached = None

    def tls_failed_client(self, data: tls.TlsData) -> None:
        """Says what a client needs that does not trust the proxy's certificate."""
        trust = guide.certificate(ctx.options.confdir)
        log.warning(f"mcpsniff: a client broke off TLS; if it does not trust the proxy, start it with {trust}")

    # The life of an exchange

    def requestheaders(self, flow: http.HTTPFlow) -> None:
        """Opens the exchange."""
        if self._recorder is None:
            return
        conn = self._connection(flow.client_conn)
        exchange = self._recorder.exchange(conn.name, (flow.client_conn.peername or ("",))[0])
        exchange.request(self._active(conn), _request_head(flow.request))
        if exchange.over:
            return
        live = self._live[flow.id] = _Live(exchange, conn)
        if flow.request.stream:  # by the user's stream_large_bodies
            live.upload = []
            flow.request.stream = self._tap(flow.request.stream, live, live.uploaded)

    def request(self, flow: http.HTTPFlow) -> None:
        """Records the request with its body."""
        live = self._live.get(flow.id)
        if live is None:
            return
        body = b"".join(live.upload) if live.upload is not None else flow.request.raw_content
        live.exchange.request_body(self._active(live.conn), body)
        self._forget_if_over(flow.id, live)

    def responseheaders(self, flow: http.HTTPFlow) -> None:
        """Records the response's head, and has its body streamed."""
        response, live = flow.response, self._live.get(flow.id)
        if response is None:
            return
        if live is not None:
            live.exchange.response(self._active(live.conn), _response_head(response))
            self._forget_if_over(flow.id, live)
        if not flow.live:  # read from a file: the body is there, whole
            return
        events = "text/event-stream" in response.headers.get("content-type", "").lower()
        if (
            live is not None
            and not live.exchange.over
            and (events or response.stream or live.exchange.verdict is Verdict.MCP)
        ):
            live.tapped = True
            response.stream = self._tap(response.stream, live, live.exchange.piece)
        elif events and not response.stream:
            response.stream = True  # else mitmproxy would hold it back until its end

    def response(self, flow: http.HTTPFlow) -> None:
        """Ends an exchange that was answered in full."""
        if flow.error is not None:  # a failed flow that is read from a file comes here first
            self.error(flow)
            return
        live = self._live.pop(flow.id, None)
        if live is None or flow.response is None:
            return
        t = self._active(live.conn)
        if not live.tapped:
            live.exchange.piece(t, flow.response.raw_content or b"")
        if flow.response.trailers:
            live.exchange.trailers(t, as_text(flow.response.trailers.fields))
        self._end(live, t, "server", "complete")

    def error(self, flow: http.HTTPFlow) -> None:
        """Ends an exchange that was not answered in full."""
        live = self._live.pop(flow.id, None)
        if live is None:
            return
        t = self._now()
        if not live.tapped and flow.response is not None:
            live.exchange.piece(t, flow.response.raw_content or b"")
        by, why = ends.of(flow, live.conn.unreached, t - live.conn.active, patience.limit())
        self._end(live, t, by, why, flow.error.msg if flow.error is not None else None)

    def _begin(self) -> HttpRecorder | None:
        pattern, redact, pointers = self._settings
        redactor = Redactor(os.urandom(16), redact == "true", pointers)
        path = heading.place(pattern, ctx.options.mode, os.getpid())
        self._start = time.monotonic()
        engine = heading.Engine("mitmproxy", VERSION, ctx.options.mode, not ctx.options.keep_host_header)
        header = heading.header(engine, redactor.names, time.time(), os.getpid())
        try:
            recorder = HttpRecorder(CaptureWriter(path, header), redactor, self._observe)
        except (OSError, ValueError) as error:  # ValueError: a NUL in the name
            reason = error.strerror if isinstance(error, OSError) else error
            log.error(f"cannot capture to {path}: {reason}; choose another file.")
            return None
        self.path = recorder.writer.path
        return recorder

    def _end(self, live: _Live, t: float, by: str, why: str, error: str | None = None) -> None:
        live.exchange.end(t, by, why, error)
        if self._recorder is not None and self._recorder.writer.failed is not None and not self._told:
            self._told = True
            log.warning(f"mcpsniff: the capture has gaps: {self._recorder.writer.failed}; the traffic goes on")

    def _now(self) -> float:
        return time.monotonic() - self._start

    def _active(self, conn: _Connection) -> float:
        conn.active = self._now()
        return conn.active

    def _connection(self, client: connection.Client) -> _Connection:
        conn = self._connections.get(client.id)
        if conn is None:
            self._connected += 1
            conn = self._connections[client.id] = _Connection(f"c{self._connected}")
        return conn

    def _forget_if_over(self, flow_id: str, live: _Live) -> None:
        if live.exchange.over:
            self._live.pop(flow_id, None)

    def _tap(self, stream: bool | Tap, live: _Live, piece: Callable[[float, bytes], None]) -> Tap:
        """A stream callable that tells of each piece and passes it on, through another addon's callable if any.

        mitmproxy calls it outside its own guard: an exception would break the client's stream.
        """

        def tap(data: bytes) -> bytes | Iterable[bytes]:
            try:
                piece(self._active(live.conn), data)
            except Exception:
                log.exception("mcpsniff: a piece of a body could not be recorded; the traffic goes on")
            return stream(data) if callable(stream) else data

        return tap


def _request_head(request: http.Request) -> RequestHead:
    size = len(assemble_request_head(request))
    return RequestHead(request.method, request.url, _version(request), as_text(request.headers.fields), size)


def _response_head(response: http.Response) -> ResponseHead:
    size = len(assemble_response_head(response))
    return ResponseHead(response.status_code, _version(response), as_text(response.headers.fields), size)


def _version(message: http.Message) -> str:
    return message.http_version.removeprefix("HTTP/").removesuffix(".0")


CAPTURE = McpCapture()  # one for each process: a script that is loaded again finds it as it was
