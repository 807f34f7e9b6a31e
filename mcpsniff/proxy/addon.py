"""The mitmproxy addon: flow events → `capture.http`. It holds the state, so that a reload of the script loses nothing.

Event streams and everything of MCP are streamed, never held back; no byte is changed; nothing here waits. Records are
written within a hundredth of a second: a process that is killed takes the last ones with it.
"""

import asyncio
import logging
import os
import time
from collections.abc import Callable, Mapping
from functools import partial

from mitmproxy import connection, ctx, exceptions, http, tls
from mitmproxy.addonmanager import Loader
from mitmproxy.log import ALERT
from mitmproxy.proxy import server_hooks
from mitmproxy.version import VERSION

from mcpsniff.capture.body import Entry
from mcpsniff.capture.heads import as_text
from mcpsniff.capture.http import Exchange, HttpRecorder
from mcpsniff.capture.recognise import Verdict
from mcpsniff.capture.writer import CaptureWriter
from mcpsniff.proxy import ends, guide, heading, options, patience
from mcpsniff.proxy.afterwards import Afterwards
from mcpsniff.proxy.faults import Faults
from mcpsniff.proxy.flows import Connection, Live, has_events, request_head, response_head
from mcpsniff.proxy.quiet import Quiet
from mcpsniff.proxy.streamed import Streamed, Tap
from mcpsniff.relay import Keeping
from mcpsniff.wire.redact import Redactor

log = logging.getLogger(__name__)

_SOON = 0.01  # seconds until records are written: several together cost half of what each alone does


class McpCapture:
    """Records the MCP traffic that passes through mitmproxy to one capture.

    `paths` are those of the servers' URLs, where known; `observe` is told of each entry of the capture. What is kept
    is what the options say, unless `keeping` says it. Where nobody will see the flows they need no `marks`.
    """

    def __init__(
        self,
        paths: Mapping[str, str] | None = None,
        observe: Callable[[Entry], None] | None = None,
        keeping: Keeping | None = None,
        marks: bool = True,
    ) -> None:
        self.path: str | None = None  # of the capture, once it is open
        self._paths = paths or {}
        self._observe = observe
        self._recorder: HttpRecorder | None = None
        self._keeping = keeping
        self._marks = marks
        self._settings = options.Options()
        self._start = 0.0  # when the capture began, by the monotonic clock
        self._began = 0.0  # the same, seconds since the epoch
        self._afterwards = Afterwards()
        self._quiet = Quiet()
        self._live: dict[str, Live] = {}
        self._faults: dict[str, Faults] = {}  # of the exchanges that are not over
        self._connections: dict[str, Connection] = {}
        self._connected = 0
        self._told = False  # what is wrong with the capture

    # Life of the addon

    def load(self, loader: Loader) -> None:
        """Declares the options."""
        options.declare(loader)

    def configure(self, updated: set[str]) -> None:
        """Checks the options; what is wrong is logged as an error, which ends mitmproxy's start."""
        if not updated & set(options.Options._fields):
            return
        settings = options.read(ctx.options)
        if self._recorder is not None and settings != self._settings:
            raise exceptions.OptionsError("the options mcp_* cannot change while mitmproxy runs: restart it.")
        self._settings = settings
        for sentence in settings.wrong():
            log.error(sentence)

    def running(self) -> None:
        """Opens the capture, and says where it is and how to point a client here."""
        patience.extend()
        if self._recorder is None:
            self._recorder = self._begin()
        if self._recorder is None:
            return
        self._quiet.begin()
        log.log(ALERT, f"mcpsniff: capturing to {self._recorder.writer.path}")
        proxy = ctx.master.addons.get("proxyserver")
        places = ((way, address) for way in proxy.servers for address in way.listen_addrs)
        ways = dict.fromkeys((way.mode.full_spec, *address[:2]) for way, address in places)  # on TCP and UDP for https
        for line in guide.lines(ways, ctx.options.confdir, self._paths):
            log.log(ALERT, line)

    def done(self) -> None:
        """Ends the capture; unless the script is only reloaded, which mitmproxy announces in the same way."""
        if self._recorder is None or not ctx.master.should_exit.is_set():
            return
        t = self._now()
        self._afterwards.do()
        for live in self._live.values():
            live.exchange.end(t, "open", "shutdown")
            self._conclude(live, t, "open", "shutdown")
        self._live.clear()
        if self._recorder.given_up:
            log.warning(f"mcpsniff: {self._recorder.given_up} exchanges were given up before they could be recognised")
        self._write(self._recorder.write)
        self._recorder.writer.end(t)
        self._recorder = None
        self._quiet.end()

    def client_disconnected(self, client: connection.Client) -> None:
        """Forgets the connection."""
        self._quiet.forget(client)
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
        t = self._turn(conn)
        exchange.request(t, request_head(flow.request))
        if exchange.over:
            return
        live = self._live[flow.id] = Live(flow, exchange, conn)
        if self._marks:
            self._faults[exchange.x] = live.faults
        if flow.live:  # the times of one that is read from a file are those of the reading
            live.seen["asked"] = t
        if flow.request.stream:  # by the user's stream_large_bodies
            upload = live.upload = []
            live.uploading = self._tap(live, flow.request.stream, lambda _, piece: upload.append(piece))
            flow.request.stream = live.uploading.tap

    def request(self, flow: http.HTTPFlow) -> None:
        """Records the request with its body."""
        live = self._live.get(flow.id)
        if live is None:
            return
        t = self._seen(live, "sent")
        body = b"".join(live.upload) if live.upload is not None else flow.request.raw_content
        live.exchange.request_body(t, body)
        if flow.request.trailers:
            live.exchange.request_trailers(t, as_text(flow.request.trailers.fields))
        self._forget_if_over(flow.id, live)

    def responseheaders(self, flow: http.HTTPFlow) -> None:
        """Records the response's head, and has its body streamed."""
        response, live = flow.response, self._live.get(flow.id)
        if response is None:
            return
        if live is not None:
            live.exchange.response(self._seen(live, "answered"), response_head(response))
            self._forget_if_over(flow.id, live)
        if not flow.live:  # read from a file: the body is there, whole
            return
        if live is not None and not live.exchange.over and _comes_piece_by_piece(live.exchange, response):
            if not response.stream:
                self._quiet.expect(flow.client_conn)
            live.streamed = self._tap(live, response.stream, live.exchange.piece)
            response.stream = live.streamed.tap
        elif not response.stream and has_events(response):
            response.stream = True  # else mitmproxy would hold it back until its end

    def response(self, flow: http.HTTPFlow) -> None:
        """Ends an exchange that was answered in full."""
        if flow.error is not None:  # a failed flow that is read from a file comes here first
            self.error(flow)
            return
        live = self._live.pop(flow.id, None)
        if live is None or flow.response is None:
            return
        t = self._turn(live.conn)
        self._body(live, t, flow.response, complete=True)
        if flow.response.trailers:
            live.exchange.trailers(t, as_text(flow.response.trailers.fields))
        self._end(flow, live, t, "server", "complete")

    def error(self, flow: http.HTTPFlow) -> None:
        """Ends an exchange that was not answered in full."""
        live = self._live.pop(flow.id, None)
        if live is None:
            return
        t = self._now()
        self._afterwards.do()
        if flow.response is not None:
            self._body(live, t, flow.response, complete=False)
        by, why = ends.of(flow, live.conn.unreached, t - live.conn.active, patience.limit())
        self._end(flow, live, t, by, why, flow.error.msg if flow.error is not None else None)

    def _begin(self) -> HttpRecorder | None:
        asked, pid, modes = self._settings, os.getpid(), ctx.options.mode
        keeping = self._keeping or asked.keeping
        redactor = Redactor(os.urandom(16), asked.mcp_redact == "true", asked.mcp_redact_pointers)
        self._start, self._began = time.monotonic(), time.time()
        path = heading.places(asked.mcp_capture, modes, pid, self._began)
        engine = heading.Engine("mitmproxy", VERSION, modes, not ctx.options.keep_host_header)
        header = heading.header(engine, redactor.names, self._began, pid)
        try:
            writer = CaptureWriter(path, header, snaplen=keeping.snaplen, storage=keeping, pid=pid)
        except (OSError, ValueError) as error:  # ValueError: a NUL in the name
            reason = error.strerror if isinstance(error, OSError) else error
            log.error(f"cannot capture to {path(0.0)}: {reason}; choose another file.")
            return None
        self.path = writer.path
        return HttpRecorder(writer, redactor, self._see, self._later)

    def _body(self, live: Live, t: float, response: http.Response, complete: bool) -> None:
        """Records a body that was not streamed, and that one went by which another addon has taken over."""
        if live.streamed is None or not response.stream:
            live.exchange.piece(t, response.raw_content or b"")
        elif live.streamed.missed(response, complete) and not live.exchange.over:
            live.exchange.lose(t, "stream-replaced")
            log.warning("mcpsniff: another addon has replaced the stream of a response: its body is not recorded")

    def _end(self, flow: http.HTTPFlow, live: Live, t: float, by: str, why: str, error: str | None = None) -> None:
        live.exchange.end(t, by, why, error)
        self._conclude(live, t, by, why)

    def _later(self, write: Callable[[], None]) -> None:
        asyncio.get_running_loop().call_later(_SOON, self._write, write)

    def _write(self, write: Callable[[], None]) -> None:
        write()
        self._tell_trouble()

    def _tell_trouble(self) -> None:
        trouble = self._recorder.writer.trouble if self._recorder is not None else None
        if trouble is not None and not self._told:
            self._told = True
            log.warning(f"mcpsniff: {trouble}; the traffic goes on")

    def _conclude(self, live: Live, t: float, by: str, why: str) -> None:
        if self._marks:
            del self._faults[live.exchange.x]
            live.conclude(self._began, t, by, why)

    def _now(self) -> float:
        return time.monotonic() - self._start

    def _active(self, conn: Connection) -> float:
        conn.active = self._now()
        return conn.active

    def _turn(self, conn: Connection) -> float:
        """The time, when all that came before is recorded."""
        t = self._active(conn)
        self._afterwards.do()
        return t

    def _connection(self, client: connection.Client) -> Connection:
        conn = self._connections.get(client.id)
        if conn is None:
            self._connected += 1
            conn = self._connections[client.id] = Connection(f"c{self._connected}")
        return conn

    def _forget_if_over(self, flow_id: str, live: Live) -> None:
        if live.exchange.over:
            self._live.pop(flow_id, None)
            self._faults.pop(live.exchange.x, None)

    def _seen(self, live: Live, what: str) -> float:
        """Notes when something of an exchange was seen, and gives the time on the capture's clock."""
        t = self._turn(live.conn)
        if live.seen:
            live.seen[what] = t
        return t

    def _tap(self, live: Live, before: bool | Tap, piece: Callable[[float, bytes], None]) -> Streamed:
        return Streamed(before, partial(self._active, live.conn), self._afterwards, piece)

    def _see(self, entry: Entry) -> None:
        """Takes each entry of the capture."""
        faults = self._faults.get(str(entry.fields.get("x")))
        if faults is not None:
            faults.see(entry)
        if self._observe is not None:
            self._observe(entry)


def _comes_piece_by_piece(exchange: Exchange, response: http.Response) -> bool:
    return exchange.verdict is Verdict.MCP or bool(response.stream) or has_events(response)
