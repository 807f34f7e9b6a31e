"""What the sample server does with HTTP requests that its own client never sends."""

import http.client
import json
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import pytest

VERSION = "2026-07-28"
BOTH = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}
META = {
    "io.modelcontextprotocol/protocolVersion": VERSION,
    "io.modelcontextprotocol/clientCapabilities": {},
}
SEARCH = {"name": "search", "arguments": {"query": "austen"}}
MODERN = {**BOTH, "MCP-Protocol-Version": VERSION, "Mcp-Method": "tools/call", "Mcp-Name": "search"}


def send(url: str, method: str, headers: dict[str, str], message: Any = None) -> tuple[int, dict[str, str], Any]:
    """Returns status, headers and body (JSON where there is one) of the answer."""
    parts = urlsplit(url)
    connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=10)
    body = None if message is None else json.dumps(message)
    connection.request(method, parts.path, body, headers)
    response = connection.getresponse()
    text = response.read()
    connection.close()
    is_json = response.headers.get_content_type() == "application/json"
    return response.status, dict(response.headers), json.loads(text) if is_json else text


def call(**params: Any) -> dict[str, Any]:
    """Returns a modern tools/call."""
    return {"jsonrpc": "2.0", "id": "a", "method": "tools/call", "params": {**SEARCH, **params, "_meta": META}}


def opened(url: str, version: str = "2025-11-25") -> dict[str, str]:
    """Opens a session and returns the headers of its requests."""
    params = {"protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
    status, headers, _ = send(url, "POST", BOTH, {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params})
    assert status == 200
    return {**BOTH, "Mcp-Session-Id": headers["Mcp-Session-Id"], "MCP-Protocol-Version": version}


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"Mcp-Name": "get_list"}, "Mcp-Name says get_list"),
        ({"Mcp-Name": None}, "Mcp-Name is missing"),
        ({"Mcp-Method": None}, "Mcp-Method is missing"),
        ({"Mcp-Method": "Tools/Call"}, "Mcp-Method says Tools/Call"),
        ({"Mcp-Name": "=?base64?c2VhcmNo!?="}, "Mcp-Name says"),
        ({"MCP-Protocol-Version": "2025-11-25"}, "MCP-Protocol-Version says 2025-11-25"),
        ({"MCP-Protocol-Version": None}, "MCP-Protocol-Version is missing"),
    ],
)
def test_header_mismatch(http_server: Callable[..., str], changed: dict[str, str | None], said: str) -> None:
    """A mirrored header that is missing or differs is refused with 400 and -32020, under the request's id."""
    headers = {name: value for name, value in {**MODERN, **changed}.items() if value is not None}
    status, _, answer = send(http_server("--era", "dual"), "POST", headers, call())
    assert (status, answer["id"], answer["error"]["code"]) == (400, "a", -32020)
    assert said in answer["error"]["message"]


def test_mirrored_headers_may_be_encoded_and_old_headers_are_ignored(http_server: Callable[..., str]) -> None:
    """The Base64 form says the same; Mcp-Session-Id and Last-Event-ID mean nothing in this era."""
    old = {"Mcp-Session-Id": "x", "Last-Event-ID": "s1-1"}
    headers = {**MODERN, **old, "Mcp-Name": "=?base64?c2VhcmNo?="}
    status, answered, answer = send(http_server("--era", "modern"), "POST", headers, call())
    assert (status, answer["result"]["resultType"]) == (200, "complete")
    assert "Mcp-Session-Id" not in answered


@pytest.mark.parametrize("method", ["GET", "DELETE"])
def test_a_modern_server_has_no_get_and_delete(http_server: Callable[..., str], method: str) -> None:
    """405, with the method that there is."""
    status, headers, body = send(http_server("--era", "modern"), method, BOTH)
    assert (status, headers["Allow"], body) == (405, "POST", b"")


def test_what_is_missing_from_the_envelope(http_server: Callable[..., str]) -> None:
    """400 and -32602 for a missing field, -32021 with what is needed for a missing capability."""
    url = http_server("--era", "modern")
    bare = call()
    del bare["params"]["_meta"]
    status, _, answer = send(url, "POST", MODERN, bare)
    assert (status, answer["error"]["code"]) == (400, -32602)
    asking = call(name="remove_book", arguments={"isbn": "9780142437247"})
    status, _, answer = send(url, "POST", {**MODERN, "Mcp-Name": "remove_book"}, asking)
    assert (status, answer["error"]["code"]) == (400, -32021)
    assert answer["error"]["data"] == {"requiredCapabilities": {"elicitation": {}}}


def test_a_forged_state_is_refused(http_server: Callable[..., str]) -> None:
    """A retry needs the state that the server gave out for the same call."""
    forged = call(inputResponses={"confirmation": {"action": "accept"}}, requestState="AAAA")
    status, _, answer = send(http_server("--era", "modern"), "POST", MODERN, forged)
    assert (status, answer["error"]["code"]) == (400, -32602)


def test_a_page_of_another_origin_is_refused(http_server: Callable[..., str]) -> None:
    """403 for a web page from elsewhere, service for one from this machine."""
    url = http_server()
    assert send(url, "POST", {**MODERN, "Origin": "http://evil.example"}, call())[0] == 403
    assert send(url, "POST", {**MODERN, "Origin": "http://localhost:3000"}, call())[0] == 200


def test_a_session_and_its_end(http_server: Callable[..., str]) -> None:
    """No id: 400; ended or unknown id: 404; a version that is none: 400."""
    url = http_server("--era", "legacy")
    ping = {"jsonrpc": "2.0", "id": 2, "method": "ping"}
    session = opened(url)
    assert send(url, "POST", session, ping)[2] == {"jsonrpc": "2.0", "id": 2, "result": {}}
    assert send(url, "POST", BOTH, ping)[0] == 400
    assert send(url, "POST", {**session, "MCP-Protocol-Version": "2026-07-28"}, ping)[0] == 400
    assert send(url, "DELETE", session)[0] == 204
    assert send(url, "POST", session, ping)[0] == 404


def test_both_eras_side_by_side(http_server: Callable[..., str]) -> None:
    """A dual build serves a session and a stateless request at the same endpoint."""
    url = http_server("--era", "dual")
    session = opened(url)
    assert send(url, "POST", MODERN, call())[0] == 200
    assert send(url, "POST", session, {"jsonrpc": "2.0", "id": 2, "method": "tools/list"})[0] == 200


@pytest.mark.parametrize(("version", "status"), [("2025-03-26", 200), ("2025-06-18", 400)])
def test_batches(http_server: Callable[..., str], version: str, status: int) -> None:
    """One revision has batches, and its answers come as an array."""
    url = http_server("--era", "legacy")
    batch = [{"jsonrpc": "2.0", "id": id, "method": "ping"} for id in (5, 6)]
    got, _, answer = send(url, "POST", opened(url, version), batch)
    assert got == status
    if status == 200:
        assert answer == [{"jsonrpc": "2.0", "id": id, "result": {}} for id in (5, 6)]


def test_a_stream_can_be_resumed(http_server: Callable[..., str]) -> None:
    """A GET with the last event id brings the rest of a stream, response included."""
    url = http_server("--era", "legacy")
    session = opened(url)
    export = {"name": "export_catalogue", "arguments": {}, "_meta": {"progressToken": 1}}
    request = {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": export}
    whole = send(url, "POST", session, request)[2]
    rest = send(url, "GET", {**session, "Last-Event-ID": "s1-6"})[2]
    assert whole.startswith(b"id: s1-0\ndata:\n\nid: s1-1\ndata: {")
    assert rest.startswith(b"id: s1-7\n")
    assert whole.endswith(rest)
    assert b'"result"' in rest


def test_the_old_transport_stands_beside_the_endpoint(http_server: Callable[..., str]) -> None:
    """HTTP+SSE: a stream only, nothing to post to it; a lost or unknown session is 404, and modern builds have none."""
    url = http_server("--era", "dual").replace("/mcp", "/sse")
    assert send(url, "POST", MODERN, call())[0] == 405
    assert send(url.replace("/sse", "/messages"), "POST", BOTH, call())[0] == 404
    modern = http_server("--era", "modern").replace("/mcp", "/sse")
    assert send(modern, "GET", BOTH)[0] == 404
