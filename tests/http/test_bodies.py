"""Bodies through the proxy: what the client gets is what the server sent, and the capture tells what it was."""

import gzip
import json
import zlib

CALL = b'{"jsonrpc":"2.0","id":1,"method":"tools/list"}'
ANSWER = b'{"jsonrpc":"2.0","id":1,"result":{}}'


def answering(body, *headers, status="200 OK"):
    async def server(wire):
        while True:
            await wire.request()
            await wire.answer(body, *headers, status=status)

    return server


def calling(got, *headers, body=CALL, ends=b"", path="/mcp"):
    async def scenario(relay):
        client = await relay.connect()
        await client.ask("POST", path, body, *headers)
        got.append(await client.head())
        got.append(await client.until(ends) if ends else b"")
        await relay.ended()

    return scenario


def test_json_answer(through):
    """Request and response with all their fields, sizes and headers as they were sent to the server."""
    got = []
    records = through(answering(ANSWER, "Content-Type: application/json"), calling(got, "X-A: 1", "x-a: 2", ends=b"}}"))
    assert got[1] == ANSWER
    request, message, response, answer, close, end = records
    port = request["url"].split(":")[2].split("/")[0]
    host = f"127.0.0.1:{port}"
    assert {k: v for k, v in request.items() if k not in ("seq", "t", "t0")} == {
        "type": "request", "x": "x1", "conn": "c1", "client": "127.0.0.1", "method": "POST", "url": f"http://{host}/mcp",
        "http": "1.1", "headers": [["Host", host], ["Content-Length", "46"], ["X-A", "1"], ["x-a", "2"]],
        "head_size": len(f"POST /mcp HTTP/1.1\r\nHost: {host}\r\nContent-Length: 46\r\nX-A: 1\r\nx-a: 2\r\n\r\n"),
        "body_size": 46,
    }  # fmt: skip
    assert (message["from"], message["size"], message["message"]) == ("client", 46, json.loads(CALL))
    assert (response["status"], response["headers"][1]) == (200, ["Content-Type", "application/json"])
    assert (answer["from"], answer["message"], answer["size"]) == ("server", json.loads(ANSWER), 36)
    assert (close["by"], close["why"], close["body_size"]) == ("server", "complete", 36)
    assert end["records"] == 7


def test_header_of_the_capture(through, tmp_path):
    """It names the server, the proxy and what was hidden."""
    through(answering(ANSWER), calling([]))
    header = json.loads((tmp_path / "capture.jsonl").read_bytes().splitlines()[0])
    assert (header["transport"], header["proxy"]["engine"], header["proxy"]["host_rewritten"]) == (
        "http",
        "mitmproxy",
        True,
    )
    assert header["upstream"].startswith("http://127.0.0.1:")
    assert "authorization" in header["redacted"]


def test_gzip_passes_as_it_is(through):
    """The client gets the encoded bytes, the capture the decoded message and both sizes."""
    got, sent = [], gzip.compress(ANSWER)
    records = through(answering(sent, "Content-Encoding: gzip"), calling(got, ends=sent[-4:]))
    assert got[1] == sent
    answer = records[3]
    assert (answer["message"], answer["size"], answer["wire_size"]) == (json.loads(ANSWER), 36, len(sent))


def test_gzip_event_stream(through):
    """Each flushed event is decoded and recorded when it comes."""

    async def server(wire):
        await wire.request()
        packer = zlib.compressobj(wbits=31)
        await wire.begin("Content-Encoding: gzip")
        for number in (1, 2):
            await wire.chunk(packer.compress(b"data: %d\n\n" % number) + packer.flush(zlib.Z_SYNC_FLUSH))
        await wire.finish()

    records = through(server, calling([], ends=b"0\r\n\r\n"))
    assert [r["message"] for r in records if r.get("from") == "server"] == [1, 2]


def test_error_page(through):
    """HTML where a message belongs is a text."""
    records = through(answering(b"<h1>no</h1>", "Content-Type: text/html", status="404 Not Found"), calling([]))
    assert (records[2]["status"], records[3]["type"], records[3]["raw"]) == (404, "text", "<h1>no</h1>")


def test_secrets_are_hidden(through):
    """Tokens in headers and in the query never reach the file; the server gets them."""
    seen = []

    async def server(wire):
        head, _ = await wire.request()
        seen.append(head)
        await wire.answer(ANSWER, "Set-Cookie: sid=s3cret")

    records = through(server, calling([], "Authorization: Bearer s3cret", path="/mcp?access_token=s3cret"))
    assert seen[0].count("s3cret") == 2
    assert "s3cret" not in json.dumps(records)


def test_oauth_around_a_server(through):
    """401, metadata and the token exchange are recorded as context, redacted."""
    metadata = {}

    async def server(wire):
        while True:
            head, _ = await wire.request()
            if "/.well-known/" in head:
                metadata["token_endpoint"] = f"http://{head.split('Host: ')[1].split()[0]}/login/token"
                await wire.answer(json.dumps(metadata).encode(), "Content-Type: application/json")
            elif "/login/token" in head:
                await wire.answer(b'{"access_token":"s3cret"}', "Content-Type: application/json")
            elif "/other" in head:
                await wire.answer(b"", status="404 Not Found")
            else:
                bearer = 'WWW-Authenticate: Bearer resource_metadata="x"'
                await wire.answer(b"", bearer, status="401 Unauthorized")

    async def scenario(relay):
        client = await relay.connect()
        form = "Content-Type: application/x-www-form-urlencoded"
        for number, (method, path, body) in enumerate(
            [
                ("POST", "/mcp", CALL),
                ("GET", "/.well-known/oauth-protected-resource/mcp", b""),
                ("POST", "/login/token", b"grant_type=authorization_code&code=s3cret"),
                ("GET", "/other", b""),
                ("POST", "/mcp", CALL),
            ]
        ):
            await client.ask(method, path, body, form)
            head = await client.head()
            await client.reader.readexactly(int(head.lower().split("content-length: ")[1].split()[0]))
            await relay.ended(min(number + 1, 3) if number < 4 else 4)

    records = through(server, scenario)
    assert [r["url"].split("/", 3)[3] for r in records if r["type"] == "request"] == [
        "mcp", ".well-known/oauth-protected-resource/mcp", "login/token", "mcp",
    ]  # fmt: skip
    assert "s3cret" not in json.dumps(records)
    assert len({r["conn"] for r in records if r["type"] == "request"}) == 1


def test_streamed_upload(through):
    """With the user's stream_large_bodies a request's body does not pass at once, and is recorded all the same."""

    async def scenario(relay):
        relay.proxy.options.update(stream_large_bodies="10")
        await calling([], "Mcp-Method: tools/list", ends=b"}}")(relay)

    records = through(answering(ANSWER), scenario)
    assert [r["message"] for r in records if r["type"] == "message"] == [json.loads(CALL), json.loads(ANSWER)]
    assert next(r for r in records if r["type"] == "request")["x"] == "x1"
