"""The ways in: one or several reverse proxies, and a regular one with and without TLS."""

import asyncio
import json
import ssl

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
