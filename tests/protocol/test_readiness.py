"""What 2026-07-28 changed, and where it is seen."""

import json

import pytest

from mcpsniff.protocol import readiness
from mcpsniff.protocol.exchange import HttpExchange
from mcpsniff.protocol.message import Message
from mcpsniff.protocol.revisions import METHODS, MODERN


def signs(answered=None, **message):
    """The signs in a message."""
    raw = json.dumps({"jsonrpc": "2.0", **message}).encode()
    return list(readiness.in_message(Message(raw, "client", 1, 0.0, len(raw)), answered))


@pytest.mark.parametrize("name", [name for name, method in METHODS.items() if method.until < MODERN])
def test_every_method_that_is_gone_has_a_row_for_each_sender(name):
    """The tables of methods and of changes agree."""
    for sender in METHODS[name].senders:
        assert readiness.CHANGES[sender, name].kind in (readiness.GONE, readiness.REPLACED)


def test_requests_lack_the_envelope_or_carry_a_task():
    """Both keys are required, the client's name is not."""
    whole = {"io.modelcontextprotocol/protocolVersion": MODERN, "io.modelcontextprotocol/clientCapabilities": {}}
    assert signs(id=1, method="ping") == ["ping", readiness.ENVELOPE_MISSING]
    assert signs(id=1, method="x", params={"_meta": whole}) == ["x"]
    assert signs(id=1, method="x", params={"_meta": whole, "task": {}}) == ["x", readiness.TASK_MEMBER]
    assert signs(method="notifications/initialized") == ["notifications/initialized"]


def test_results_lack_what_is_required_now():
    """Every result needs its type, cacheable ones both hints."""
    assert signs(id=1, result={}) == [readiness.RESULT_TYPE_MISSING]
    done = {"resultType": "complete"}
    assert signs("tools/call", id=1, result=done) == []
    assert signs("tools/list", id=1, result={**done, "ttlMs": 1}) == [readiness.CACHE_HINTS_MISSING]
    assert signs("tools/list", id=1, result={**done, "ttlMs": 1, "cacheScope": "private"}) == []


@pytest.mark.parametrize(
    ("code", "answered", "sign"),
    [
        (-32002, "resources/read", [readiness.NOT_FOUND_CODE]),
        (-32002, "tools/call", []),
        (-32042, "tools/call", [readiness.URL_CODE]),
        (-32601, "resources/read", []),
    ],
)
def test_codes_that_are_gone(code, answered, sign):
    """-32002 counts where it means a resource; other errors are as they were."""
    assert signs(answered, id=1, error={"code": code, "message": ""}) == sign


@pytest.mark.parametrize(
    ("method", "headers", "seen"),
    [
        ("POST", [("Mcp-Method", "ping")], []),
        ("POST", [], [readiness.METHOD_HEADER_MISSING]),
        ("GET", [("Last-Event-ID", "7")], [readiness.GET_STREAM, readiness.RESUMPTION]),
        ("DELETE", [("mcp-session-id", "s")], [readiness.DELETE_SESSION, readiness.SENT_SESSION]),
    ],
)
def test_heads_of_requests(method, headers, seen):
    """HTTP methods and headers of sessions and resumption, and the header that is required now."""
    exchange = HttpExchange("x", 1, 0.0, method, "http://h/mcp", headers)
    assert list(readiness.in_request_head(exchange)) == seen


def test_every_sign_has_a_row():
    """What is looked for is in the table, and the table has no row without a way to see it."""
    named = {value for name, value in vars(readiness).items() if name.isupper() and name[0] != "_"
             and isinstance(value, str)} - {readiness.GONE, readiness.REPLACED, readiness.REQUIRED}  # fmt: skip
    habits = {sign for _, sign in readiness.CHANGES if sign not in METHODS}
    assert habits == {name for name in named if " " in name or name == readiness.RESUMPTION}
