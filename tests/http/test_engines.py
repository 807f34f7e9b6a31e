"""One session through both engines: the captures agree in messages, sizes, ends and findings."""

import gzip
import json
from io import BytesIO

import pytest


def text(**members):
    return json.dumps({"jsonrpc": "2.0", **members}).encode()


def event(**members):
    return b"event: message\ndata: " + text(**members) + b"\n\n"


INFO = {"name": "n", "version": "1"}
HANDSHAKE = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": INFO}
SESSION = "Mcp-Session-Id: s1"
AFTER = (SESSION, "MCP-Protocol-Version: 2025-11-25", "Accept: application/json, text/event-stream")
JSON = "Content-Type: application/json"
PROGRESS = {"progressToken": "p", "progress": 1}


async def server(wire):
    """A legacy server with faults: an answer to no request, a broken body, a stream without an end."""
    while True:
        head, body = await wire.request()
        method = json.loads(body)["method"] if body else head.split()[0]
        if method == "initialize":
            result = {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": INFO}
            await wire.answer(text(id=0, result=result), JSON, SESSION)
        elif method == "tools/list":
            sent = gzip.compress(text(id=1, result={"tools": []}), mtime=0)
            await wire.answer(sent, JSON, "Content-Encoding: gzip")
        elif method == "tools/call":
            await wire.begin()
            await wire.chunk(b": hello\n\n" + event(method="notifications/progress", params=PROGRESS))
            await wire.chunk(event(id=99, result={}) + event(id=2, result={"content": []})[:30])
            await wire.chunk(event(id=2, result={"content": []})[30:])
            await wire.finish()
        elif method == "ping":
            await wire.answer(b"<html>oops</html>", "Content-Type: text/html", status="500 Internal Server Error")
        elif method == "resources/list":
            await wire.send(
                b"HTTP/1.1 200 OK\r\nContent-Length: 99\r\nContent-Type: application/json\r\n\r\n", text()[:9]
            )
            return
        elif method == "prompts/list":
            await wire.begin()
            await wire.chunk(b": wait\n\n")
            await wire.closed()
        elif method == "DELETE":
            await wire.answer(b"", status="405 Method Not Allowed")
        else:
            await wire.answer(b"", status="202 Accepted")


async def client(relay):
    """Each exchange ends before the next one begins, so that there is one order only."""
    steps = (
        ("POST", text(id=0, method="initialize", params=HANDSHAKE), b"}}}"),
        ("POST", text(method="notifications/initialized"), b"\r\n\r\n"),
        ("POST", text(id=1, method="tools/list"), b"\r\n\r\n"),
        ("POST", text(id=2, method="tools/call", params={"name": "t", "_meta": {"progressToken": "p"}}), b"0\r\n\r\n"),
        ("POST", text(id=3, method="ping"), b"</html>"),
        ("POST", text(id=4, method="resources/list"), b'{"jsonrpc'),
        ("POST", text(id=5, method="prompts/list"), b": wait\n\n"),
        ("DELETE", b"", b"\r\n\r\n"),
    )
    for number, (method, body, mark) in enumerate(steps, 1):
        wire = await relay.connect()
        await wire.ask(method, "/mcp", body, *(AFTER if number > 1 else ()), *([JSON] if body else ()))
        await wire.until(mark)
        if b"wait" in mark:
            wire.close()
        await relay.ended(number)


@pytest.fixture
def both(through, tapped, tmp_path):
    """The captures of both engines, as bytes."""
    through(server, client)
    tapped(server, client)
    return [(tmp_path / name).read_bytes() for name in ("capture.jsonl", "tapped.jsonl")]


KEPT = ("type", "x", "from", "size", "wire_size", "message", "raw", "status", "method", "body_size", "by", "why", "sse")


def shown(capture):
    """What must agree of each record."""
    records = [json.loads(line) for line in capture.splitlines()[1:]]
    return [{key: r[key] for key in KEPT if key in r and (r["type"], key) != ("close", "wire_size")} for r in records]


def findings(capture):
    from mcpsniff.analysis.engine import analyze
    from mcpsniff.analysis.report import build

    report = build([analyze(BytesIO(capture))])
    (session,) = report.sessions
    return [(f["rule"], f["severity"], f["violator"], f["count"]) for f in session["findings"]], report.summary


def test_engines_agree(both):
    """Record for record; only the client's own Host and the framing of chunks are the tap's alone."""
    by_mitmproxy, by_tap = map(shown, both)
    assert by_tap == by_mitmproxy
    assert len(by_tap) > 30


def test_findings_agree(both):
    """The same rules speak, of the same side, as often; the sums are the same."""
    (found, summary), (found_by_tap, summary_by_tap) = map(findings, both)
    assert found_by_tap == found
    assert summary_by_tap == summary
    assert {"response-unknown-id"} <= {rule for rule, *_ in found}
