"""Nothing is held back: every stream of MCP works through the proxy, and every event is recorded before its effect."""

import asyncio
import json


def message(**members):
    return json.dumps({"jsonrpc": "2.0", **members}).encode()


INITIALIZE = message(id=0, method="initialize", params={"protocolVersion": "2025-11-25"})


def outline(records):
    return [
        (r["type"], r["x"], r.get("message", {}).get("method") or r.get("message", {}).get("id")) for r in records[:-1]
    ]


def test_listen_stream(either):
    """`subscriptions/listen`: the acknowledgement arrives while the stream is open, and so does each notification."""
    acknowledged = asyncio.Event()

    async def server(wire):
        await wire.request()
        await wire.begin()
        await wire.event({"jsonrpc": "2.0", "method": "notifications/subscriptions/acknowledged"})
        await acknowledged.wait()
        await wire.event({"jsonrpc": "2.0", "method": "notifications/tools/list_changed"})
        await wire.closed()

    async def scenario(relay):
        client = await relay.connect()
        await client.ask(
            "POST", "/mcp", message(id="l", method="subscriptions/listen"), "Mcp-Method: subscriptions/listen"
        )
        await client.until(b"acknowledged")
        acknowledged.set()
        await client.until(b"list_changed")
        client.close()
        await relay.ended()

    records = either(server, scenario)
    assert outline(records) == [
        ("request", "x1", None),
        ("message", "x1", "subscriptions/listen"),
        ("response", "x1", None),
        ("message", "x1", "notifications/subscriptions/acknowledged"),
        ("message", "x1", "notifications/tools/list_changed"),
        ("close", "x1", None),
    ]
    assert (records[-2]["by"], records[-2]["why"]) == ("client", "closed")


def test_legacy_get_stream(either):
    """A standing GET: response head and events arrive although it never ends, and POSTs go on beside it."""

    async def server(wire):
        head, body = await wire.request()
        if head.startswith("GET"):
            await wire.begin("Mcp-Session-Id: s1")
            await wire.event({"jsonrpc": "2.0", "method": "notifications/message"})
            await wire.closed()
        elif b'"initialize"' in body:
            await wire.answer(message(id=0, result={}), "Content-Type: application/json", "Mcp-Session-Id: s1")
        else:
            await wire.answer(b"", status="202 Accepted")

    async def scenario(relay):
        post, stream = await relay.connect(), await relay.connect()
        await post.ask("POST", "/mcp", INITIALIZE)
        await post.until(b"}}")
        await stream.ask("GET", "/mcp", b"", "Accept: text/event-stream")
        await stream.until(b"notifications/message")
        post = await relay.connect()
        await post.ask("POST", "/mcp", message(method="notifications/initialized"))
        await post.until(b"\r\n\r\n")
        stream.close()
        await relay.ended(3)

    records = either(server, scenario)
    assert [r["status"] for r in records if r["type"] == "response"] == [200, 200, 202]
    assert {r["x"]: (r["by"], r["why"]) for r in records if r["type"] == "close"} == {
        "x1": ("server", "complete"),
        "x2": ("client", "closed"),
        "x3": ("server", "complete"),
    }


def test_old_http_sse(either):
    """HTTP+SSE without a header of MCP: the endpoint event makes the stream MCP, replies come on it."""
    answers: asyncio.Queue[bytes] = asyncio.Queue()

    async def server(wire):
        head, body = await wire.request()
        if head.startswith("GET /events"):
            await wire.begin()
            await wire.chunk(b"event: endpoint\r\ndata: /m?session=1\r\n\r\n")
            await wire.chunk(b"event: message\r\ndata: " + await answers.get() + b"\r\n\r\n")
            await wire.closed()
        answers.put_nowait(message(id=json.loads(body)["id"], result={}))
        await wire.answer(b"Accepted", status="202 Accepted")

    async def scenario(relay):
        stream, post = await relay.connect(), await relay.connect()
        await stream.ask("GET", "/events", b"", "Accept: text/event-stream")
        await stream.until(b"/m?session=1")
        await post.ask("POST", "/m?session=1", message(id=5, method="ping"))
        await stream.until(b'"result"')
        await post.until(b"Accepted")
        stream.close()
        await relay.ended(2)

    records = either(server, scenario)
    kinds = [(r["type"], r["x"]) for r in records[:-1]]
    assert kinds[:3] == [("request", "x1"), ("response", "x1"), ("sse", "x1")]
    assert (records[2]["event"], records[2]["data"], records[2]["size"]) == ("endpoint", "/m?session=1", 39)
    assert kinds.index(("message", "x2")) < kinds.index(("message", "x1"))
    assert [r["raw"] for r in records if r["type"] == "text"] == ["Accepted"]


def test_sampling_request_on_a_post_stream(either):
    """The server asks the client in the middle of a call: request, answer and result are recorded in this order."""
    answered = asyncio.Event()

    async def server(wire):
        _, body = await wire.request()
        if b"tools/call" in body:
            await wire.begin()
            await wire.event({"jsonrpc": "2.0", "id": 7, "method": "sampling/createMessage"})
            await answered.wait()
            await wire.event({"jsonrpc": "2.0", "id": 1, "result": {}})
            await wire.finish()
        else:
            answered.set()
            await wire.answer(b"", status="202 Accepted")

    async def scenario(relay):
        call, reply = await relay.connect(), await relay.connect()
        await call.ask("POST", "/mcp", message(id=1, method="tools/call"))
        await call.until(b"createMessage")
        await reply.ask("POST", "/mcp", message(id=7, result={"role": "assistant"}))
        await call.until(b'"result"')
        await relay.ended(2)

    messages = [(r["from"], r["message"]["id"]) for r in either(server, scenario) if r["type"] == "message"]
    assert messages == [("client", 1), ("server", 7), ("client", 7), ("server", 1)]


def test_undecided_stream_is_not_held_back_and_not_recorded(either):
    """A chat completion streams through the proxy as without it, and leaves no record."""
    seen = asyncio.Event()

    async def server(wire):
        await wire.request()
        await wire.begin()
        await wire.event({"choices": []})
        await seen.wait()
        await wire.chunk(b"data: [DONE]\n\n")
        await wire.finish()

    async def scenario(relay):
        client = await relay.connect()
        await client.ask("POST", "/v1/chat", b'{"stream":true}')
        await client.until(b"choices")
        seen.set()
        await client.until(b"0\r\n\r\n")

    assert [r["type"] for r in either(server, scenario)] == ["end"]


def test_200_open_streams_at_once(either):
    """Many standing streams are open together, each gets its event, each is recorded."""
    count = 200
    everybody = asyncio.Barrier(count)

    async def server(wire):
        await wire.request()
        await wire.begin("Mcp-Session-Id: s1")
        await everybody.wait()
        await wire.event({"jsonrpc": "2.0", "method": "notifications/message"})
        await wire.finish()

    async def scenario(relay):
        async def one():
            client = await relay.connect()
            await client.ask("GET", "/mcp", b"", "Accept: text/event-stream")
            await client.until(b"notifications/message")

        await asyncio.gather(*(one() for _ in range(count)))
        await relay.ended(count)

    records = either(server, scenario)
    assert len({r["x"] for r in records if r["type"] == "message"}) == count
