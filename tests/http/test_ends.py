"""Who ended an exchange, and why; what the proxy did is never said to be the server's or the client's doing."""

import asyncio
import errno
import json
import os
import socket
import struct

from mcpsniff.capture.exchange import Exchange
from mcpsniff.proxy import patience

CALL = b'{"jsonrpc":"2.0","id":1,"method":"tools/call"}'
ANSWER = b'data: {"jsonrpc":"2.0","id":1,"result":{}}\n\n'


def close_of(records):
    (close,) = (r for r in records if r["type"] == "close")
    return close["by"], close["why"]


def types(records):
    return [r["type"] for r in records]


def calling(mark=b"", then=None):
    """A client that calls, waits for `mark` (or the end of the connection), and does something more."""

    async def scenario(relay):
        client = await relay.connect()
        await client.ask("POST", "/mcp", CALL)
        await (client.until(mark) if mark else client.closed())
        if then is not None:
            then(client)
            await relay.ended()

    return scenario


def test_answered_in_full(either):
    """The server finished its stream."""

    async def server(wire):
        await wire.request()
        await wire.begin()
        await wire.chunk(ANSWER)
        await wire.finish()

    assert close_of(either(server, calling(b"0\r\n\r\n"))) == ("server", "complete")


def test_client_closes_before_the_answer(either):
    """A cancellation: the request has no answer, the server sees the end."""
    ended = asyncio.Event()

    async def server(wire):
        await wire.request()
        await wire.begin()
        await wire.chunk(b": wait\n\n")
        await wire.closed()
        ended.set()

    records = either(server, calling(b": wait\n\n", lambda client: client.close()))
    assert close_of(records) == ("client", "closed")
    assert types(records) == ["request", "message", "response", "sse", "close", "end"]
    assert ended.is_set()


def test_client_closes_before_the_response_head(either):
    """The exchange has a request and a close, nothing else."""
    asked = asyncio.Event()

    async def server(wire):
        await wire.request()
        asked.set()
        await wire.closed()

    async def scenario(relay):
        client = await relay.connect()
        await client.ask("POST", "/mcp", CALL)
        await asked.wait()
        client.close()
        await relay.ended()

    records = either(server, scenario)
    assert (types(records), close_of(records)) == (["request", "message", "close", "end"], ("client", "closed"))


def test_client_closes_after_the_answer(either):
    """Some clients do not wait for the last chunk: closed by the client, and the answer is there."""

    async def server(wire):
        await wire.request()
        await wire.begin()
        await wire.chunk(ANSWER)
        await wire.closed()

    records = either(server, calling(b"}}", lambda client: client.close()))
    assert types(records)[3:5] == ["message", "close"]
    assert close_of(records) == ("client", "closed")


def test_server_cuts_its_stream(either):
    """The connection ends inside the chunked body: what came is recorded, the block that was cut is marked."""

    async def server(wire):
        await wire.request()
        await wire.begin()
        await wire.chunk(ANSWER + b"data: {")

    records = either(server, calling())
    assert close_of(records) == ("server", "closed")
    assert (records[4]["unfinished"], records[4]["data"]) == (True, "{")


def test_server_cuts_a_json_answer(either):
    """A body shorter than announced reaches the client as it is, not as a page of the proxy's, and is recorded."""

    async def server(wire):
        await wire.request()
        await wire.send(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n", b'{"jsonrpc":')

    got = []

    async def scenario(relay):
        client = await relay.connect()
        await client.ask("POST", "/mcp", CALL)
        got.append(await client.closed())

    records = either(server, scenario)
    assert got[0].startswith(b"HTTP/1.1 200 OK")
    assert (types(records)[2:4], records[3]["raw"], close_of(records)) == (
        ["response", "text"], '{"jsonrpc":', ("server", "closed"),
    )  # fmt: skip


def test_server_resets(through):
    """RST in the middle of a stream."""

    async def server(wire):
        await wire.request()
        await wire.begin()
        await wire.chunk(ANSWER)
        linger = struct.pack("ii", 1, 0)
        wire.writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        wire.reset()

    assert close_of(through(server, calling())) == ("server", "closed")


def test_server_closes_without_an_answer(through):
    """The client gets the proxy's own 502, which is not recorded as the server's."""

    async def server(wire):
        await wire.request()

    records = through(server, calling(b"502 Bad Gateway"))
    assert (types(records), close_of(records)) == (["request", "message", "close", "end"], ("server", "closed"))


def test_server_answers_garbage(through):
    """What is no HTTP is the server's end, with the reason."""

    async def server(wire):
        await wire.request()
        await wire.send(b"hello\r\n\r\n")
        await wire.closed()

    records = through(server, calling(b"502 Bad Gateway"))
    assert types(records) == ["request", "message", "close", "end"]
    assert close_of(records)[0] == "server"
    assert records[2]["error"]


def test_server_is_down(through):
    """Nobody listens: the end is the proxy's, for want of an upstream, and there is no response."""

    async def scenario(relay):
        with socket.create_server(("127.0.0.1", 0)) as closed:
            port = closed.getsockname()[1]
        relay.proxy.options.update(mode=[f"reverse:http://127.0.0.1:{port}@127.0.0.1:0"])
        while not relay.is_listening_for(port):
            await asyncio.sleep(0.005)
        await calling(b"502 Bad Gateway")(relay)

    async def server(wire):
        raise AssertionError("nobody is asked")

    records = through(server, scenario)
    assert (types(records), close_of(records)) == (["request", "message", "close", "end"], ("proxy", "upstream"))


def test_server_goes_down_between_two_calls(through):
    """The second call on one connection finds nobody: it is not said that the server closed it."""

    async def server(wire):
        await wire.request()
        await wire.answer(b"{}")

    async def scenario(relay):
        client = await relay.connect()
        await client.ask("POST", "/mcp", CALL)
        await client.until(b"{}")
        await relay.stop_server()
        await client.ask("POST", "/mcp", CALL)
        await client.until(b"502 Bad Gateway")
        await relay.ended(2)

    ends = [(r["by"], r["why"]) for r in through(server, scenario) if r["type"] == "close"]
    assert ends == [("server", "complete"), ("proxy", "upstream")]


def test_server_speaks_no_tls(through):
    """An upstream that was meant to be https: the end is the proxy's, at TLS."""

    async def server(wire):
        await wire.reader.read(1)
        await wire.send(b"HTTP/1.1 400 Bad Request\r\n\r\n")

    async def scenario(relay):
        upstream = relay.proxy.options.mode[0].replace("http:", "https:")
        relay.proxy.options.update(mode=[upstream])
        while not relay.is_listening_for("https"):
            await asyncio.sleep(0.005)
        await calling(b"502 Bad Gateway")(relay)

    assert close_of(through(server, scenario)) == ("proxy", "tls")


def test_proxy_is_stopped(either):
    """A stream that is open when the proxy ends is neither the client's nor the server's doing."""

    async def server(wire):
        await wire.request()
        await wire.begin()
        await wire.chunk(ANSWER)
        await wire.closed()

    records = either(server, calling(b"}}"))
    assert close_of(records) == ("open", "shutdown")
    assert types(records)[-2:] == ["close", "end"]
    assert records[-1]["records"] == len(records) + 1


def test_silence_ends_a_connection(through, monkeypatch):
    """mitmproxy closes a silent connection and calls that a disconnect of the client; the capture does not."""
    monkeypatch.setattr(patience, "SECONDS", 1)

    async def server(wire):
        await wire.request()
        await wire.begin()
        await wire.chunk(ANSWER)
        await wire.closed()

    records = through(server, calling())
    assert close_of(records) == ("proxy", "idle-timeout")


def test_recorder_that_fails_breaks_no_stream(through, monkeypatch, caplog):
    """An error in the recorder is logged; the client gets every byte."""

    def fail(*_):
        raise RuntimeError("a fault")

    async def server(wire):
        await wire.request()
        await wire.begin()
        await wire.chunk(ANSWER)
        await wire.finish()

    monkeypatch.setattr(Exchange, "piece", fail)
    through(server, calling(b"0\r\n\r\n"))
    assert "could not be recorded" in caplog.text


def test_requests_come_before_their_effects(either):
    """Over twenty calls on one connection each request stands before its answer, and exchanges in their order."""

    async def server(wire):
        while True:
            _, body = await wire.request()
            await wire.answer(json.dumps({"jsonrpc": "2.0", "id": json.loads(body)["id"], "result": {}}).encode())

    async def scenario(relay):
        client = await relay.connect()
        for number in range(20):
            await client.ask("POST", "/mcp", b'{"jsonrpc":"2.0","id":%d,"method":"tools/list"}' % number)
            await client.until(b"}}")
        await relay.ended(20)

    records = either(server, scenario)
    order = [(r["message"]["id"], r["from"]) for r in records if r["type"] == "message"]
    assert order == [(n, who) for n in range(20) for who in ("client", "server")]
    assert [r["seq"] for r in records] == list(range(1, len(records) + 1))


def test_disk_that_is_full_stops_no_traffic(through, monkeypatch, caplog):
    """Writing fails from the first call on: the client is served as before, and the log tells of it once."""

    async def server(wire):
        while True:
            await wire.request()
            await wire.answer(b"{}")

    def full(*_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    async def scenario(relay):
        client = await relay.connect()
        with monkeypatch.context() as patch:
            patch.setattr("mcpsniff.capture.writer.os.write", full)
            for _ in range(2):
                await client.ask("POST", "/mcp", CALL)
                await client.until(b"{}")
            client.close()
            while relay.proxy.addons.get("proxyserver").connections:
                await asyncio.sleep(0.005)
            await asyncio.sleep(0.05)  # what is written soon was asked for before: it comes first

    records = through(server, scenario)
    assert caplog.text.count("cannot write all of the capture") == 1
    assert [(r["type"], r.get("why")) for r in records] == [("gap", "write-error"), ("end", None)]
