"""MCP told from other HTTP traffic, by what is seen and by what was learned."""

import json

import pytest

from mcpsniff.capture.heads import RequestHead, ResponseHead
from mcpsniff.capture.recognise import METHODS, REMEMBERED, Recogniser, Verdict, endpoint, speaks_mcp
from mcpsniff.protocol import revisions

URL = "http://localhost:8000/mcp"
MCP, AUTH, UNDECIDED, OTHER = Verdict


def request(method: str = "GET", url: str = URL, **headers: str) -> RequestHead:
    return RequestHead(method, url, "1.1", [(k.replace("_", "-"), v) for k, v in headers.items()], 0)


def response(status: int = 200, **headers: str) -> ResponseHead:
    return ResponseHead(status, "1.1", [(k.replace("_", "-"), v) for k, v in headers.items()], 0)


@pytest.mark.parametrize(
    "name", ["MCP_Protocol_Version", "mcp_session_id", "Mcp_Method", "Mcp_Name", "Mcp_Param_Region"]
)
def test_headers_of_mcp_are_proof(name: str) -> None:
    """One header that only MCP has is enough, on the request or on the response, in any case of letters."""
    assert Recogniser().request(request("PUT", **{name: ""})) is MCP
    assert Recogniser().response(response(500, **{name: ""})) is MCP


def test_preflight_that_asks_for_a_header_of_mcp() -> None:
    """A browser's OPTIONS comes before the first request of MCP."""
    assert Recogniser().request(request("OPTIONS", Access_Control_Request_Headers="content-type,mcp-session-id")) is MCP
    assert Recogniser().request(request("OPTIONS", Access_Control_Request_Headers="content-type")) is OTHER


@pytest.mark.parametrize(
    ("message", "verdict"),
    [
        ({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-11-25"}}, True),
        ({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"processId": 7}}, False),
        ({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}, True),
        ([{"jsonrpc": "2.0", "id": 1, "method": "x"}, {"jsonrpc": "2.0", "method": "notifications/initialized"}], True),
        ({"jsonrpc": "2.0", "id": 1, "method": "eth_call", "params": ["latest"]}, False),
        ({"jsonrpc": "2.0", "id": 1, "method": "message/send", "params": {}}, False),
        ({"jsonrpc": "2.0", "id": 1, "method": "tasks/get", "params": {}}, False),
        ({"jsonrpc": "1.0", "id": 1, "method": "tools/list"}, False),
        ({"jsonrpc": "2.0", "id": 1, "method": ["tools/list"]}, False),
        ({"jsonrpc": "2.0", "id": 1, "method": "x/y", "params": {"_meta": {"io.modelcontextprotocol/a": 1}}}, True),
        ({"jsonrpc": "2.0", "id": 1, "result": {"_meta": {"io.modelcontextprotocol/serverInfo": {}}}}, True),
        ({"jsonrpc": "2.0", "id": 1, "result": {}}, False),
        ("jsonrpc", False),
    ],
)
def test_messages(message: object, verdict: bool) -> None:
    """Methods and metadata of MCP's own are proof, JSON-RPC alone is not."""
    assert speaks_mcp(json.dumps(message).encode()) is verdict


@pytest.mark.parametrize(
    "body", [b"", b"\xff", b'{"jsonrpc":"2.0"', b'{"jsonrpc":' + b"[" * 100_000, b'["jsonrpc"' + b" " * 2_000_000]
)
def test_bodies_that_are_no_message(body: bytes) -> None:
    """Noise, broken, deep and huge bodies give no verdict and no exception."""
    assert Recogniser().request_body(body) is UNDECIDED


def test_methods_are_those_that_the_revisions_define() -> None:
    """The vocabulary is the protocol's, without the names that other protocols have too."""
    shared = {"initialize", "ping", "tasks/get", "tasks/list", "tasks/cancel", "tasks/result", "tasks/update"}
    assert set(METHODS) == set(revisions.METHODS) - shared


def test_known_endpoint_is_mcp_whatever_comes() -> None:
    """Once learned, DELETE, OPTIONS and broken bodies at the endpoint are MCP; other paths are not."""
    known = Recogniser()
    known.learn(URL + "?a=1")
    assert known.request(request("DELETE", "HTTP://LOCALHOST:8000/mcp?b=2")) is MCP
    assert known.request(request("DELETE", URL + "/other")) is OTHER


def test_undecided_until_the_answer() -> None:
    """GET and POST may be MCP; an event stream stays so, any other answer does not."""
    fresh = Recogniser()
    assert fresh.request(request("GET")) is fresh.request(request("POST")) is UNDECIDED
    assert fresh.request(request("PUT")) is OTHER
    assert fresh.response(response(content_type="text/event-stream; charset=utf-8")) is UNDECIDED
    assert fresh.response(response(content_type="application/json")) is OTHER


def test_401_that_names_its_metadata() -> None:
    """An endpoint that points to protected-resource metadata is one; a plain 401 says nothing."""
    assert Recogniser().response(response(401, www_authenticate='Bearer resource_metadata="http://a/"')) is MCP
    assert Recogniser().response(response(401, www_authenticate="Basic realm=x")) is OTHER


def test_endpoint_event_announces_where_messages_go() -> None:
    """The announced URL, resolved against that of the stream, is MCP from then on."""
    known = Recogniser()
    assert known.event("http://localhost:8000/sse", "endpoint", b"/messages/?session_id=1") is MCP
    assert known.request(request("POST", "http://localhost:8000/messages/?session_id=1")) is MCP


@pytest.mark.parametrize("data", [b"http://[", b"mailto:x", b"\xff\xfe"])
def test_odd_endpoint_events_do_no_harm(data: bytes) -> None:
    """What is no URL announces nothing, and what is one in any way is taken."""
    assert Recogniser().event("http://localhost/sse", "endpoint", data) in (MCP, OTHER)


def test_events_of_other_streams() -> None:
    """JSON-RPC keeps the question open, anything else settles it."""
    fresh = Recogniser()
    assert fresh.event(URL, None, b'{"jsonrpc":"2.0","method":"notifications/message"}') is MCP
    assert fresh.event(URL, None, b'{"jsonrpc":"2.0","id":1,"result":{}}') is UNDECIDED
    assert fresh.event(URL, None, b"[DONE]") is OTHER


def test_oauth_around_a_server() -> None:
    """Well-known documents are context, and so are the endpoints that they announce."""
    known = Recogniser()
    assert known.request(request(url="https://a.example/.well-known/oauth-protected-resource/mcp")) is AUTH
    openid = request(url="https://as.example/tenant/.well-known/openid-configuration")
    token = request("POST", "https://as.example:443/token")
    assert (known.request(openid), known.request(token)) == (UNDECIDED, UNDECIDED)
    known.metadata(
        b'{"authorization_servers":["https://as.example/tenant",7],"token_endpoint":"https://as.example/token"}'
    )
    assert (known.request(openid), known.request(token)) == (AUTH, AUTH)


@pytest.mark.parametrize(
    "body", [b"[]", b"nope", b'{"authorization_servers":5,"token_endpoint":[]}', b'{"token_endpoint":"http://[::"}']
)
def test_odd_metadata_does_no_harm(body: bytes) -> None:
    """A document of another shape announces nothing."""
    Recogniser().metadata(body)


@pytest.mark.parametrize("url", ["", "http://[", "http://h:99999/x", "//", "http://h:x/", "\x00"])
def test_odd_urls_do_no_harm(url: str) -> None:
    """Any text can be looked up and learned."""
    known = Recogniser()
    known.learn(url)
    assert known.request(request("DELETE", url)) is MCP


def test_spelling_of_endpoints() -> None:
    """Case of the host, the default port, an empty path, query and fragment do not matter."""
    assert endpoint("HTTP://Host") == endpoint("http://host:80/?x#y")
    assert endpoint("http://host/A") != endpoint("http://host/a")


def test_memory_is_bounded() -> None:
    """The oldest endpoint is forgotten."""
    known = Recogniser()
    for i in range(REMEMBERED + 1):
        known.learn(f"http://h/{i}")
    assert not known.knows("http://h/0")
    assert known.knows("http://h/1")
