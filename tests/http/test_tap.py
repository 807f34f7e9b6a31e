"""The tap passes every byte and every end on as it came, and records what mitmproxy cannot see."""

import asyncio
import json
import random
import socket
import struct

import pytest

CALL = b'{"jsonrpc":"2.0","id":1,"method":"tools/call"}'
ANSWER = b'{"jsonrpc":"2.0","id":1,"result":{}}'
EVENT = b"data: " + ANSWER + b"\n\n"


def post(body=CALL, *headers):
    lines = ["POST /mcp HTTP/1.1", "Host: me", f"Content-Length: {len(body)}", *headers]
    return "\r\n".join([*lines, "", ""]).encode() + body


def types(records):
    return [r["type"] for r in records]


def close_of(records):
    (close,) = (r for r in records if r["type"] == "close")
    return close["by"], close["why"]


def hard(wire):
    """Ends a connection by RST."""
    linger = struct.pack("ii", 1, 0)
    wire.writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
    wire.reset()


def test_every_byte_passes(tapped):
    """Eight megabytes of noise each way at once, which are no HTTP: what comes out is what went in."""
    sent, back = random.Random(1).randbytes(8 << 20), random.Random(2).randbytes(8 << 20)
    got = {}

    async def server(wire):
        task = asyncio.create_task(wire.send(back))
        got["server"] = await wire.closed()
        await task

    async def scenario(relay):
        client = await relay.connect()
        task = asyncio.create_task(client.send(sent))
        answer = asyncio.create_task(client.closed())
        await task
        client.writer.write_eof()
        got["client"] = await answer

    assert types(tapped(server, scenario)) == ["end"]
    assert (got["server"] == sent, got["client"] == back) == (True, True)


def test_half_close(tapped):
    """A client that sends its end and still reads: the server sees the end, the client gets its answer."""

    async def server(wire):
        assert await wire.closed() == post()
        await wire.answer(ANSWER)

    async def scenario(relay):
        client = await relay.connect()
        await client.send(post())
        client.writer.write_eof()
        assert (await client.closed()).endswith(ANSWER)

    assert close_of(tapped(server, scenario)) == ("server", "complete")


def test_server_resets(tapped):
    """The client sees a reset, not an end, and the server is said to have reset."""

    async def server(wire):
        await wire.request()
        await wire.begin()
        await wire.chunk(EVENT)
        hard(wire)

    async def scenario(relay):
        client = await relay.connect()
        await client.send(post())
        with pytest.raises(ConnectionResetError):
            await client.closed()

    assert close_of(tapped(server, scenario)) == ("server", "reset")


def test_client_resets(tapped):
    """The server sees a reset, and the client is said to have reset."""
    seen = asyncio.Event()

    async def server(wire):
        await wire.request()
        await wire.begin()
        await wire.chunk(EVENT)
        with pytest.raises(ConnectionResetError):
            await wire.closed()
        seen.set()

    async def scenario(relay):
        client = await relay.connect()
        await client.send(post())
        await client.until(b"}}\n\n")
        hard(client)
        await relay.ended()
        await seen.wait()

    assert close_of(tapped(server, scenario)) == ("client", "reset")


def test_client_is_gone_while_the_server_sends(tapped):
    """The server's next bytes find nobody: it is broken off, as it would be without the tap."""
    broken = asyncio.Event()

    async def server(wire):
        await wire.request()
        await wire.begin()
        try:
            while True:
                await wire.chunk(b": " + b"x" * 60_000 + b"\n\n")
        except ConnectionError:
            broken.set()

    async def scenario(relay):
        client = await relay.connect()
        await client.send(post())
        await client.until(b": xxx")
        client.close()
        await broken.wait()
        await relay.ended()

    assert close_of(tapped(server, scenario))[0] == "client"


def test_nobody_listens(tapped, capfd):
    """The client is reset, as without the tap it would be refused; its request is recorded, the trouble told once."""

    async def server(wire):
        raise AssertionError("nobody is asked")

    async def scenario(relay):
        await relay.stop_server()
        for count in (1, 2):
            client = await relay.connect()
            await client.send(post())
            with pytest.raises(ConnectionResetError):
                await client.closed()
            await relay.ended(count)

    records = tapped(server, scenario)
    assert types(records) == ["request", "message", "close"] * 2 + ["end"]
    assert {(r["by"], r["why"], r["error"]) for r in records if r["type"] == "close"} == {
        ("proxy", "upstream", "Connection refused")
    }
    assert capfd.readouterr().err.count("cannot be reached: Connection refused") == 1


def test_what_mitmproxy_cannot_see(tapped):
    """1xx, trailers, chunk framing and the client's own Host; the client gets them all."""
    stream = (
        b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"
        b"HTTP/1.1 200 OK\r\nContent-Type:text/event-stream\r\nTransfer-Encoding: Chunked\r\n\r\n"
        b"%x;ext=1\r\n%s\r\n0\r\nX-Sum: 1\r\n\r\n" % (len(EVENT), EVENT)
    )
    got = []

    async def server(wire):
        await wire.request()
        await wire.send(stream)

    async def scenario(relay):
        client = await relay.connect()
        await client.send(post())
        got.append(await client.closed())

    records = tapped(server, scenario)
    assert got == [stream]
    assert types(records) == ["request", "message", "info", "response", "message", "info", "close", "end"]
    assert records[0]["headers"][0] == ["Host", "me"]
    assert records[3]["head_size"] == len(
        "HTTP/1.1 200 OK\r\nContent-Type:text/event-stream\r\nTransfer-Encoding: Chunked\r\n\r\n"
    )
    assert records[6]["wire_size"] - records[6]["body_size"] == len("34;ext=1\r\n\r\n0\r\nX-Sum: 1\r\n\r\n")


def test_expect_continue(tapped):
    """The server's word lets the body come."""

    async def server(wire):
        await wire.head()
        await wire.send(b"HTTP/1.1 100 Continue\r\n\r\n")
        assert await wire.reader.readexactly(len(CALL)) == CALL
        await wire.answer(ANSWER)

    async def scenario(relay):
        client = await relay.connect()
        head, _, body = post(CALL, "Expect: 100-continue").partition(b"\r\n\r\n")
        await client.send(head, b"\r\n\r\n")
        assert (await client.head()).startswith("HTTP/1.1 100")
        await client.send(body)
        await client.until(b"}}")

    records = tapped(server, scenario)
    assert [r["status"] for r in records if r["type"] in ("info", "response")] == [100, 200]


def test_pipelined_requests(tapped):
    """Five requests in one write, answered in one: five exchanges."""

    async def server(wire):
        for _ in range(5):
            await wire.request()
        await wire.send((b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(ANSWER) + ANSWER) * 5)

    async def scenario(relay):
        client = await relay.connect()
        await client.send(post() * 5)
        await client.closed()

    records = tapped(server, scenario)
    assert [r["x"] for r in records if r["type"] == "close"] == ["x1", "x2", "x3", "x4", "x5"]
    assert len([r for r in records if r["type"] == "message"]) == 10


def test_host_is_rewritten_on_request(tapped, tmp_path):
    """Each request's Host is the server's own then, all else as it came; the capture has what the client sent."""
    got = []

    async def server(wire):
        for _ in range(2):
            got.append(await wire.request())
            await wire.answer(ANSWER)

    async def scenario(relay):
        client = await relay.connect()
        sent = post(CALL, "X-Host: Host: me")
        for piece in (sent[:30], sent[30:-5], sent[-5:] + sent[:60], sent[60:]):
            await client.send(piece)
            await asyncio.sleep(0.01)  # pieces that arrive apart
        await relay.ended(2)
        got.append(relay.server_port)

    records = tapped(server, scenario, rewrite_host=True)
    *requests, port = got
    head = post(CALL, "X-Host: Host: me").partition(b"\r\n\r\n")[0].decode() + "\r\n\r\n"
    assert requests == [(head.replace("Host: me", f"Host: 127.0.0.1:{port}", 1), CALL)] * 2
    assert [dict(r["headers"])["Host"] for r in records if r["type"] == "request"] == ["me", "me"]
    header = json.loads((tmp_path / "tapped.jsonl").read_bytes().splitlines()[0])
    assert header["proxy"]["host_rewritten"] is True


def test_a_client_that_speaks_tls(tapped):
    """It passes, and that it cannot be recorded is no secret."""
    said = []

    async def server(wire):
        assert await wire.reader.readexactly(4) == b"\x16\x03\x01\x02"
        await wire.send(b"\x15\x03")

    async def scenario(relay):
        client = await relay.connect()
        await client.send(b"\x16\x03\x01\x02\r\n")
        assert await client.closed() == b"\x15\x03"
        said.append(relay)

    assert types(tapped(server, scenario)) == ["end"]
    assert "cannot be recorded: the client's bytes are no HTTP/1" in said[0].said


def test_fifty_megabytes(either):
    """A large answer passes, and is in the capture whole."""
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "result": {"text": "x" * 50_000_000}}).encode()

    async def server(wire):
        await wire.request()
        await wire.answer(body)

    async def scenario(relay):
        client = await relay.connect()
        await client.send(post())
        await client.head()
        assert await client.reader.readexactly(len(body)) == body
        await relay.ended()

    records = either(server, scenario)
    assert records[3]["size"] == len(body)
    assert close_of(records) == ("server", "complete")
