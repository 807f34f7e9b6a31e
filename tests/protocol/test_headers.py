"""Header values: media ranges, base64 sentinels, and what mirrors a request's body."""

import pytest

from mcpsniff.protocol.exchange import HttpExchange
from mcpsniff.protocol.headers import accepted, covers, decode_value, mirrored
from mcpsniff.protocol.message import Message


@pytest.mark.parametrize(
    ("value", "meant"),
    [
        ("us-west1", "us-west1"),
        ("=?base64?SGVsbG8sIOS4lueVjA==?=", "Hello, 世界"),
        ("=?base64?IHBhZGRlZCA=?=", " padded "),
        ("=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?=", "=?base64?literal?="),
        ("=?base64??=", ""),
        ("=?BASE64?YQ==?=", "=?BASE64?YQ==?="),
        ("=?base64?YQ==", "=?base64?YQ=="),
        ("=?base64?=", "=?base64?="),
        ("=?base64?YQ?=", None),
        ("=?base64?Y Q==?=", None),
        ("=?base64?/w==?=", None),
        ("=?base64?é?=", None),
        ("", ""),
    ],
)
def test_values_are_decoded(value, meant):
    """The examples of the page, both markers in lower case exactly, and what does not decode to UTF-8."""
    assert decode_value(value) == meant


@pytest.mark.parametrize(
    ("lines", "types"),
    [
        ([], set()),
        (["application/json, text/event-stream"], {"application/json", "text/event-stream"}),
        (["TEXT/event-stream;q=0.5", "application/json; charset=utf-8"], {"application/json", "text/event-stream"}),
        (["application/json;q=0, */*;q=0.000, text/event-stream;q=0.001"], {"text/event-stream"}),
        ([", ,text/html,"], {"text/html"}),
    ],
)
def test_accept_lines_are_joined(lines, types):
    """Lines, case, parameters and order do not matter; quality 0 is not accepted."""
    exchange = HttpExchange("x", 1, 0.0, "POST", "http://h/mcp", [("aCCept", line) for line in lines])
    assert accepted(exchange) == types


def test_wildcards_cover():
    """A range covers its types and no others."""
    assert covers(frozenset(["*/*"]), "application/json")
    assert covers(frozenset(["text/*"]), "text/event-stream")
    assert not covers(frozenset(["text/*"]), "application/json")


@pytest.mark.parametrize(
    ("body", "headers"),
    [
        ('{"method":"tools/call","params":{"name":"a"}}', {"Mcp-Method": "tools/call", "Mcp-Name": "a"}),
        ('{"method":"resources/read","params":{"uri":"u"}}', {"Mcp-Method": "resources/read", "Mcp-Name": "u"}),
        ('{"method":"tools/call","params":{"name":7}}', {"Mcp-Method": "tools/call"}),
        ('{"method":"tools/list","params":[]}', {"Mcp-Method": "tools/list"}),
        (
            '{"method":"x","params":{"name":"a","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}',
            {"Mcp-Method": "x", "MCP-Protocol-Version": "2026-07-28"},
        ),
    ],
)
def test_requests_are_mirrored(body, headers):
    """Version and method of every request, the name of three methods; only strings can be mirrored."""
    assert mirrored(Message(body.encode(), "client", 1, 0.0, len(body))) == headers
