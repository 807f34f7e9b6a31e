"""The ways in: one or several reverse proxies, and a regular one with and without TLS."""

import asyncio
import json
import ssl

import h2.config
import h2.connection
import h2.errors
import h2.events
import pytest

CALL = b'{"jsonrpc":"2.0","id":1,"method":"tools/call"}'
EVENT = b'data: {"jsonrpc":"2.0","id":1,"result":{}}\n\n'


def streaming(seen):
    """A server that sends the first event, and the end only when the client has seen it."""

    async def server(wire):
        await wire.request()
        await wire.begin()
        await wire.chunk(EVENT)
        await seen.wait()
        await wire.finish()

    return server


@pytest.fixture
def server_tls(authority):
    """A server's side of TLS."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(authority)
    return context


async def tunnel(relay, trust):
    """A client connection through CONNECT and TLS to the server."""
    client = await relay.connect()
    await client.send(b"CONNECT 127.0.0.1:%d HTTP/1.1\r\n\r\n" % relay.server_port)
    assert "200" in await client.head()
    await client.writer.start_tls(trust, server_hostname="127.0.0.1")
    return client


def test_regular_proxy(through, tmp_path):
    """The request names its server; what is recorded is the URL that was asked for, and no Host is rewritten."""
    seen = asyncio.Event()

    async def scenario(relay):
        client = await relay.connect()
        await client.ask("POST", f"http://127.0.0.1:{relay.server_port}/mcp", CALL)
        await client.until(b"}}")
        seen.set()
        await relay.ended()

    records = through(streaming(seen), scenario, "regular@127.0.0.1:0")
    assert records[0]["url"].startswith("http://127.0.0.1:")
    assert [r["type"] for r in records] == ["request", "message", "response", "message", "close", "end"]
    header = json.loads((tmp_path / "capture.jsonl").read_bytes().splitlines()[0])
    assert (header["proxy"]["host_rewritten"], header.get("upstream")) == (False, None)


def test_regular_proxy_with_tls(through, confdir, server_tls):
    """A client that trusts the proxy's certificate: nothing is held back, and the URL is that of the server."""
    seen = asyncio.Event()

    async def scenario(relay):
        relay.proxy.options.update(ssl_insecure=True)
        client = await tunnel(relay, ssl.create_default_context(cafile=confdir / "mitmproxy-ca-cert.pem"))
        await client.ask("POST", "/mcp", CALL)
        await client.until(b"}}")
        seen.set()
        await relay.ended()

    records = through(streaming(seen), scenario, "regular@127.0.0.1:0", tls=server_tls)
    assert records[0]["url"].startswith("https://127.0.0.1:")
    assert [r["type"] for r in records] == ["request", "message", "response", "message", "close", "end"]


def test_client_that_does_not_trust_the_proxy(through, server_tls, caplog):
    """The log names the two settings that make it do so."""

    async def scenario(relay):
        relay.proxy.options.update(ssl_insecure=True)
        with pytest.raises(ssl.SSLCertVerificationError):
            await tunnel(relay, ssl.create_default_context())
        while "NODE_EXTRA_CA_CERTS" not in caplog.text:
            await asyncio.sleep(0.005)

    assert [r["type"] for r in through(streaming(None), scenario, "regular@127.0.0.1:0", tls=server_tls)] == ["end"]
    assert "SSL_CERT_FILE=" in caplog.text


def test_several_servers_in_one_capture(through, tmp_path):
    """Each has its own port; what was meant for which is in the URL."""

    async def server(wire):
        await wire.request()
        await wire.answer(b"{}")

    async def scenario(relay):
        for count, port in enumerate(relay.ports, 1):
            client = await relay.connect(port)
            await client.ask("POST", "/mcp", CALL)
            await client.until(b"{}")
            await relay.ended(count)

    upstreams = ("http://127.0.0.1:{port}", "http://localhost:{port}")
    records = through(server, scenario, *(f"reverse:{upstream}@127.0.0.1:0" for upstream in upstreams))
    assert [r["url"].split(":")[1] for r in records if r["type"] == "request"] == ["//127.0.0.1", "//localhost"]
    header = json.loads((tmp_path / "capture.jsonl").read_bytes().splitlines()[0])
    assert "upstream" not in header


def test_upstream_proxy(through, tmp_path):
    """Behind another proxy: the request goes there with its whole URL, which is the one that is recorded."""
    heads = []

    async def other_proxy(wire):
        head, _ = await wire.request()
        heads.append(head.splitlines()[0])
        await wire.begin()
        await wire.chunk(EVENT)
        await wire.finish()

    async def scenario(relay):
        client = await relay.connect()
        await client.ask("POST", "http://mcp.example/mcp", CALL)
        await client.until(b"0\r\n\r\n")
        await relay.ended()

    records = through(other_proxy, scenario, "upstream:http://127.0.0.1:{port}@127.0.0.1:0")
    assert heads == ["POST http://mcp.example/mcp HTTP/1.1"]
    assert records[0]["url"] == "http://mcp.example/mcp"
    assert [r["type"] for r in records] == ["request", "message", "response", "message", "close", "end"]


class Http2:
    """One end of a TLS connection that speaks HTTP/2, with h2's words."""

    def __init__(self, wire, client):
        self.wire = wire
        self.h2 = h2.connection.H2Connection(h2.config.H2Configuration(client_side=client))
        self.h2.initiate_connection()
        self.events = []

    async def flush(self):
        await self.wire.send(self.h2.data_to_send())

    async def until(self, kind):
        """The next event of this kind; what comes before it is dropped."""
        while True:
            await self.flush()
            while self.events:
                event = self.events.pop(0)
                if isinstance(event, kind):
                    return event
            data = await self.wire.reader.read(1 << 16)
            assert data, f"the connection ended before {kind}"
            self.events += self.h2.receive_data(data)

    async def answer(self, stream, *pieces, end=False):
        for piece in pieces:
            self.h2.send_data(stream, piece)
        if end:
            self.h2.end_stream(stream)
        await self.flush()

    async def ask(self, stream, port):
        head = {":method": "POST", ":path": "/mcp", ":scheme": "https", ":authority": f"127.0.0.1:{port}"}
        self.h2.send_headers(stream, list({**head, "mcp-protocol-version": "2026-07-28"}.items()))
        self.h2.send_data(stream, CALL, end_stream=True)
        await self.flush()


@pytest.fixture
def http2_tls(server_tls):
    """A server's side of TLS that agrees on HTTP/2."""
    server_tls.set_alpn_protocols(["h2"])
    return server_tls


@pytest.fixture
def play_http2(through, confdir, http2_tls):
    """Plays a server and a client that both speak HTTP/2, through a regular proxy."""

    def run(server, client):
        async def serve(wire):
            peer = Http2(wire, client=False)
            await server(peer, (await peer.until(h2.events.StreamEnded)).stream_id)

        async def scenario(relay):
            relay.proxy.options.update(ssl_insecure=True)
            trust = ssl.create_default_context(cafile=confdir / "mitmproxy-ca-cert.pem")
            trust.set_alpn_protocols(["h2"])
            await client(Http2(await tunnel(relay, trust), client=True), relay)

        return through(serve, scenario, "regular@127.0.0.1:0", tls=http2_tls)

    return run


EVENTS = [(":status", "200"), ("content-type", "text/event-stream")]


def test_http2(play_http2):
    """Each event arrives while the stream is open; the capture says that it was HTTP/2, and keeps the trailers."""
    seen = asyncio.Event()

    async def server(peer, stream):
        peer.h2.send_headers(stream, EVENTS)
        await peer.answer(stream, EVENT)
        await seen.wait()
        peer.h2.send_headers(stream, [("x-sum", "1")], end_stream=True)
        await peer.flush()

    async def client(peer, relay):
        await peer.ask(1, relay.server_port)
        assert (await peer.until(h2.events.DataReceived)).data == EVENT
        seen.set()
        await peer.until(h2.events.StreamEnded)
        await relay.ended()

    records = play_http2(server, client)
    assert [r["type"] for r in records] == ["request", "message", "response", "message", "info", "close", "end"]
    assert (records[0]["http"], records[2]["http"]) == ("2", "2")
    assert records[4]["trailers"] == [["x-sum", "1"]]
    assert (records[5]["by"], records[5]["why"]) == ("server", "complete")


def test_http2_reset_of_one_stream(play_http2):
    """Which side has reset it mitmproxy does not tell: it is nobody's fault."""
    reset = asyncio.Event()

    async def server(peer, stream):
        peer.h2.send_headers(stream, EVENTS)
        await peer.answer(stream, EVENT)
        await peer.until(h2.events.StreamReset)
        reset.set()

    async def client(peer, relay):
        await peer.ask(1, relay.server_port)
        await peer.until(h2.events.DataReceived)
        peer.h2.reset_stream(1, h2.errors.ErrorCodes.CANCEL)
        await peer.flush()
        await relay.ended()
        await reset.wait()

    (close,) = (r for r in play_http2(server, client) if r["type"] == "close")
    assert (close["by"], close["why"]) == ("error", "reset")


def test_http2_reset_by_the_server(play_http2):
    """The client sees it, and it is nobody's fault either."""
    seen = asyncio.Event()

    async def server(peer, stream):
        peer.h2.send_headers(stream, EVENTS)
        await peer.answer(stream, EVENT[:20])
        await seen.wait()
        peer.h2.reset_stream(stream, h2.errors.ErrorCodes.INTERNAL_ERROR)
        await peer.flush()
        await peer.until(h2.events.ConnectionTerminated)

    async def client(peer, relay):
        await peer.ask(1, relay.server_port)
        await peer.until(h2.events.DataReceived)
        seen.set()
        await peer.until(h2.events.StreamReset)
        await relay.ended()

    (close,) = (r for r in play_http2(server, client) if r["type"] == "close")
    assert (close["by"], close["why"]) == ("error", "reset")
