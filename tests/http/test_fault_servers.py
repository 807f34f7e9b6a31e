"""Servers that break or stretch HTTP: how each exchange ended is told, and nobody is blamed without a fault."""

import asyncio
import json
import socket
import struct

import pytest

INFO = {"name": "n", "version": "1"}
MEMBERS = {"protocolVersion": "2026-07-28", "clientInfo": INFO, "clientCapabilities": {}}
META = {f"io.modelcontextprotocol/{name}": value for name, value in MEMBERS.items()}
CALL = {"method": "tools/call", "params": {"name": "t", "arguments": {}, "_meta": META}}
HEADERS = (
    *("Content-Type: application/json", "Accept: application/json, text/event-stream"),
    *("MCP-Protocol-Version: 2026-07-28", "Mcp-Method: tools/call", "Mcp-Name: t"),
)
RESULT = {"resultType": "complete", "content": [], "_meta": {"io.modelcontextprotocol/serverInfo": INFO}}


def message(number, **members):
    return json.dumps({"jsonrpc": "2.0", "id": number, **members}).encode()


ANSWER = message(2, result=RESULT)
EVENT = b"data: " + ANSWER + b"\n\n"
CHUNKED = (
    b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nX-Accel-Buffering: no\r\nTransfer-Encoding: chunked\r\n\r\n"
)
LAST = b"0\r\n\r\n"


def chunk(data):
    return b"%x\r\n%s\r\n" % (len(data), data)


def with_length(length, body=ANSWER):
    return b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s" % (length, body)


def saying(data):
    """A server that sends this and closes."""

    async def server(wire, _):
        await wire.send(data)

    return server


async def byte_by_byte(wire, _):
    """Each byte of the head in a write of its own; a half-close of the server follows."""
    for byte in with_length(len(ANSWER)):
        await wire.send(bytes([byte]))
        await asyncio.sleep(0)
    wire.writer.write_eof()
    await wire.closed()


async def resetting(wire, seen):
    """RST in the middle of an event, once the client has what came of it."""
    await wire.send(CHUNKED, chunk(EVENT[:30]))
    await seen.wait()
    linger = struct.pack("ii", 1, 0)
    wire.writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
    wire.reset()


COMPLETE, CLOSED = ("server", "complete"), ("server", "closed")
INFORMED = CHUNKED + chunk(EVENT) + LAST

# What the server does; how the exchange ends through mitmproxy and through the tap; the faults of the server's.
FAULTS = {
    "chunk that is cut": (saying(CHUNKED + chunk(EVENT)[:40]), CLOSED, CLOSED, set()),
    "end without the last chunk": (saying(CHUNKED + chunk(EVENT)), CLOSED, CLOSED, set()),
    "chunk of no size": (saying(CHUNKED + chunk(EVENT) + b"zz\r\n"), CLOSED, CLOSED, set()),
    "reset in mid-event": (resetting, CLOSED, ("server", "reset"), set()),
    "garbage": (saying(b"hello, this is no HTTP\r\n\r\n"), CLOSED, CLOSED, set()),
    "nothing": (saying(b""), CLOSED, CLOSED, set()),
    "length too long": (saying(with_length(999)), CLOSED, CLOSED, {"content-length-mismatch"}),
    "length too short": (saying(with_length(20)), COMPLETE, COMPLETE, {"json-response-not-single-object"}),
    "slow head": (byte_by_byte, COMPLETE, COMPLETE, set()),
    "body up to the end": (saying(with_length(0).replace(b"Content-Length: 0\r\n", b"")), COMPLETE, COMPLETE, set()),
    # What mitmproxy breaks: it takes a 1xx for the answer, and trailers for the end of the world.
    "1xx": (saying(b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" + INFORMED), COMPLETE, COMPLETE, set()),
    "trailers": (saying(CHUNKED + chunk(EVENT) + b"0\r\nX-Sum: 1\r\n\r\n"), CLOSED, COMPLETE, set()),
}


async def calling(relay, number):
    """A new connection with this call on it."""
    client = await relay.connect()
    await client.ask("POST", "/mcp", message(number, **CALL), *HEADERS)
    return client


async def served(relay):
    """Makes the first call, and leaves with its answer."""
    client = await calling(relay, 1)
    await client.until(b"}}}")
    client.close()
    await relay.ended()


async def answering(wire):
    """Answers a call as it should; gives whether that was the first one."""
    number = json.loads((await wire.request())[1])["id"]
    if number == 1:
        await wire.answer(message(number, result=RESULT), "Content-Type: application/json")
    return number == 1


def played(fault, half_closing=False):
    """A server that is faulty from the second call on, and a client that makes two."""
    seen = asyncio.Event()

    async def server(wire):
        if not await answering(wire):
            await fault(wire, seen)

    async def scenario(relay):
        await served(relay)
        client = await calling(relay, 2)
        if fault is resetting:
            await client.until(EVENT[:30])
        if half_closing:
            client.writer.write_eof()
        seen.set()
        await relay.ended(2)

    return server, scenario


@pytest.mark.parametrize("name", FAULTS)
def test_the_end_is_told_and_nobody_blamed(name, either, tmp_path, caplog, capfd):
    """The `close` record of each engine, the server's faults in the report, and not a word of an exception."""
    fault, by_mitmproxy, by_tap, faults = FAULTS[name]
    records = either(*played(fault))
    (capture,) = tmp_path.glob("*.jsonl")
    assert ends(records) == [COMPLETE, by_tap if capture.name == "tapped.jsonl" else by_mitmproxy]
    assert records[-1]["type"] == "end"
    assert blamed(capture) == faults
    assert [record for record in caplog.records if record.name.startswith("mcpsniff")] == []
    assert capfd.readouterr().err == ""


def test_a_client_that_closes_its_sending_half(through, tmp_path):
    """mitmproxy takes it for one that has left; the server, whose answer nobody gets, has done nothing wrong."""

    async def deaf(wire, _):
        await wire.closed()

    records = through(*played(deaf, half_closing=True))
    assert ends(records) == [COMPLETE, ("client", "closed")]
    assert blamed(tmp_path / "capture.jsonl") == set()


def test_a_server_that_goes_down(either, tmp_path):
    """The second call finds nobody, which is not said to be a fault in the protocol."""

    async def scenario(relay):
        await served(relay)
        await relay.stop_server()
        await calling(relay, 2)
        await relay.ended(2)

    records = either(answering, scenario)
    (capture,) = tmp_path.glob("*.jsonl")
    assert ends(records) == [COMPLETE, ("proxy", "upstream")]
    assert blamed(capture) == set()


def ends(records):
    return [(record["by"], record["why"]) for record in records if record["type"] == "close"]


def blamed(capture):
    """The rules that the report says somebody has broken."""
    from mcpsniff.analysis.engine import analyze
    from mcpsniff.analysis.report import build

    sessions = build([analyze(str(capture))]).sessions
    return {one["rule"] for session in sessions for one in session["findings"]}
