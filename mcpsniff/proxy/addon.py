"""The mitmproxy addon: flow events → `capture.http`. It holds the state, so that a reload of the script loses nothing.

Event streams and everything of MCP are streamed, never held back; no byte is changed; nothing here waits.
"""

import logging
from collections.abc import Callable, Mapping

from mitmproxy import connection, ctx, exceptions, http, tls
from mitmproxy.addonmanager import Loader
from mitmproxy.log import ALERT
from mitmproxy.proxy import server_hooks

from mcpsniff.capture.body import Entry
from mcpsniff.capture.heads import as_text
from mcpsniff.proxy import ends, guide, options, patience
from mcpsniff.proxy.flows import Connection, Live, has_events, request_head, response_head
from mcpsniff.proxy.marking import Marking
from mcpsniff.proxy.quiet import Quiet
from mcpsniff.proxy.recording import Recording, comes_piece_by_piece
from mcpsniff.relay import Keeping

log = logging.getLogger(__name__)


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
        self._paths = paths or {}
        self._observe = observe
        self._recording = Recording(self._see)
        self._marking = Marking() if marks else None
        self._keeping = keeping
        self._settings = options.Options()
        self._quiet = Quiet()
        self._live: dict[str, Live] = {}
        self._connections: dict[str, Connection] = {}
        self._connected = 0

    @property
    def path(self) -> str | None:
        """That of the capture, once it is open."""
        return self._recording.path

    # Life of the addon

    def load(self, loader: Loader) -> None:
        """Declares the options."""
        options.declare(loader)

    def configure(self, updated: set[str]) -> None:
        """Checks the options; what is wrong is logged as an error, which ends mitmproxy's start."""
        if not updated & set(options.Options._fields):
            return
        settings = options.read(ctx.options)
        if self._recording.is_open and settings != self._settings:
            raise exceptions.OptionsError("the options mcp_* cannot change while mitmproxy runs: restart it.")
        self._settings = settings
        for sentence in settings.wrong():
            log.error(sentence)

    def running(self) -> None:
        """Opens the capture, and says where it is and how to point a client here."""
        patience.extend()
        if not self._recording.is_open:
            self._begin()
        if not self._recording.is_open:
            return
        log.log(ALERT, f"mcpsniff: capturing to {self.path}")
        proxy = ctx.master.addons.get("proxyserver")
        places = ((way, address) for way in proxy.servers for address in way.listen_addrs)
        ways = dict.fromkeys((way.mode.full_spec, *address[:2]) for way, address in places)  # on TCP and UDP for https
        for line in guide.lines(ways, ctx.options.confdir, self._paths):
            log.log(ALERT, line)

    def done(self) -> None:
        """Ends the capture; unless the script is only reloaded, which mitmproxy announces in the same way."""
        if not self._recording.is_open or not ctx.master.should_exit.is_set():
            return
        if self._marking is not None:
            self._marking.end()
        t = self._recording.settle()
        for live in self._live.values():
            live.exchange.end(t, "open", "shutdown")
            self._conclude(live, t, "open", "shutdown")
        self._live.clear()
        self._recording.end(t)
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
        conn = self._connection(flow.client_conn)
        exchange = self._recording.exchange(conn, (flow.client_conn.peername or ("",))[0])
        if exchange is None:
            return
        t = self._recording.turn(conn)
        exchange.request(t, request_head(flow.request))
        if exchange.over:
            return
        live = self._live[flow.id] = Live(flow, exchange, conn)
        if self._marking is not None:
            self._marking.begin(exchange.x, flow)
        if flow.live:  # the times of one that is read from a file are those of the reading
            live.seen["asked"] = t
        if flow.request.stream:  # by the user's stream_large_bodies
            upload = live.upload = []
            live.uploading = self._recording.tap(live, flow.request.stream, lambda _, piece: upload.append(piece))
            flow.request.stream = live.uploading.tap

    def request(self, flow: http.HTTPFlow) -> None:
        """Records the request with its body."""
        live = self._live.get(flow.id)
        if live is None:
            return
        t = self._recording.seen(live, "sent")
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
            live.exchange.response(self._recording.seen(live, "answered"), response_head(response))
            self._forget_if_over(flow.id, live)
        if not flow.live:  # read from a file: the body is there, whole
            return
        if live is not None and not live.exchange.over and comes_piece_by_piece(live.exchange, response):
            if not response.stream:
                self._quiet.expect(flow.client_conn)
            live.streamed = self._recording.tap(live, response.stream, live.exchange.piece)
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
        t = self._recording.turn(live.conn)
        self._recording.body(live, t, flow.response, complete=True)
        if flow.response.trailers:
            live.exchange.trailers(t, as_text(flow.response.trailers.fields))
        self._end(live, t, "server", "complete")

    def error(self, flow: http.HTTPFlow) -> None:
        """Ends an exchange that was not answered in full."""
        live = self._live.pop(flow.id, None)
        if live is None:
            return
        t = self._recording.settle()
        if flow.response is not None:
            self._recording.body(live, t, flow.response, complete=False)
        by, why = ends.of(flow, live.conn.unreached, t - live.conn.active, patience.limit())
        self._end(live, t, by, why, flow.error.msg if flow.error is not None else None)

    def _begin(self) -> None:
        self._recording.begin(self._settings, self._keeping or self._settings.keeping)
        if self.path is not None:
            self._quiet.begin()
            if self._marking is not None:
                self._marking.follow(self.path, self._recording.capture)

    def _end(self, live: Live, t: float, by: str, why: str, error: str | None = None) -> None:
        live.exchange.end(t, by, why, error)
        self._conclude(live, t, by, why)

    def _conclude(self, live: Live, t: float, by: str, why: str) -> None:
        if self._marking is not None:
            live.conclude(self._recording.began, t, by, why)
            self._marking.conclude(live.exchange.x, live.flow)

    def _forget_if_over(self, flow_id: str, live: Live) -> None:
        if live.exchange.over:
            del self._live[flow_id]
            if self._marking is not None:
                self._marking.forget(live.exchange.x)

    def _connection(self, client: connection.Client) -> Connection:
        conn = self._connections.get(client.id)
        if conn is None:
            self._connected += 1
            conn = self._connections[client.id] = Connection(f"c{self._connected}")
        return conn

    def _see(self, entry: Entry) -> None:
        """Takes each entry of the capture."""
        if self._marking is not None:
            self._marking.see(entry)
        if self._observe is not None:
            self._observe(entry)
