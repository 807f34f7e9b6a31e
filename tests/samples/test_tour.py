"""The tour and the sizes on the wire, counted by a tee of the tests' own."""

import json
import re
from collections.abc import Callable
from typing import Any

import pytest

EXTRA_FIELDS = ("protocolVersion", "clientInfo", "clientCapabilities")


@pytest.mark.parametrize(
    ("options", "count"),
    [
        (("--era", "legacy"), 17),
        (("--era", "modern"), 14),
        (("--era", "modern", "--no-discover"), 12),
    ],
)
def test_messages_of_the_tour(
    play: Callable[..., Any], play_http: Callable[..., Any], options: tuple[str, ...], count: int
) -> None:
    """Handshake, ping, and list and use of each primitive: 17 messages; 12 without a handshake, 14 with discover."""
    played = play("tour", *options)
    assert played.code == 0
    assert len(played.messages) == count
    assert sum(by == "client" for by, _ in played.messages) == (count + 1) // 2
    _, raw = play_http("tour", *options)
    assert sum(text.count(b'"jsonrpc":"2.0"') for text in raw.values()) == count


def test_the_legacy_session_over_http_ends_with_delete(play_http: Callable[..., Any]) -> None:
    """The client gives its session back; the modern era has nothing to give back."""
    _, raw = play_http("tour", "--era", "legacy")
    assert raw["client"].count(b"DELETE /mcp HTTP/1.1") == 1
    assert b"HTTP/1.1 204" in raw["server"]
    _, raw = play_http("tour", "--era", "modern")
    assert b"DELETE" not in raw["client"]


def test_envelope_of_the_fixture_client(play: Callable[..., Any]) -> None:
    """The `_meta` member of fixture-client 1.0.0 without capabilities is 194 bytes; 11 more where it brings params."""
    played = play("tour", "--era", "modern", "--no-discover", "--name", "fixture-client")
    sizes = []
    for by, message in played.messages:
        if by == "client":
            bare = json.loads(json.dumps(message))
            for name in EXTRA_FIELDS:
                del bare["params"]["_meta"][f"io.modelcontextprotocol/{name}"]
            assert bare["params"].pop("_meta") == {}
            if not bare["params"]:
                del bare["params"]
            sizes.append(size(message) - size(bare))
    assert sizes == [205, 194, 205, 194, 205, 194]


def test_cost_of_a_call(play: Callable[..., Any]) -> None:
    """A modern call carries 309 bytes more than a legacy one with names of this length; 85 fewer without clientInfo."""
    cost = {}
    for name, options in {
        "legacy": ("--era", "legacy"),
        "modern": ("--era", "modern", "--no-discover"),
        "minimal": ("--era", "modern", "--no-discover", "--no-client-info"),
    }.items():
        played = play("calls", *options)
        calls = played.sent("client", "tools/call")
        assert len(calls) == 100
        cost[name] = sum(size(call) + size(played.answer(call["id"])) for call in calls) / 100
    client_info = len(',"io.modelcontextprotocol/clientInfo":{"name":"library-client","version":"1.0.0"}')
    envelope = 194  # fixture-client has as many letters as library-client
    on_results = len('"resultType":"complete",') + len(
        ',"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"library-server","version":"1.0.0"}}'
    )
    # The ids differ a little: the handshake takes the first one.
    assert cost["modern"] - cost["legacy"] == pytest.approx(envelope + on_results, abs=0.1)
    assert cost["modern"] - cost["minimal"] == client_info


def test_round_trips_before_the_first_call(play: Callable[..., Any]) -> None:
    """Legacy needs one answered request before the first real one, modern none."""
    legacy = [message["method"] for by, message in play("call", "--era", "legacy").messages if "method" in message]
    assert legacy == ["initialize", "notifications/initialized", "tools/call"]
    modern = play("call", "--era", "modern", "--no-discover")
    assert [message["method"] for _, message in modern.messages if "method" in message] == ["tools/call"]


def test_versions_in_the_headers(play_http: Callable[..., Any]) -> None:
    """Every modern POST repeats version, method and name; every legacy one after initialize session and version."""
    _, raw = play_http("tour", "--era", "modern", "--no-discover")
    heads = re.findall(rb"POST /mcp HTTP/1\.1\r\n(.*?)\r\n\r\n", raw["client"], re.DOTALL)
    assert [re.findall(rb"Mcp-(Method|Name): (.*)\r\n", head + b"\r\n") for head in heads] == [
        [(b"Method", b"tools/list")],
        [(b"Method", b"tools/call"), (b"Name", b"search")],
        [(b"Method", b"resources/list")],
        [(b"Method", b"resources/read"), (b"Name", b"library://catalogue")],
        [(b"Method", b"prompts/list")],
        [(b"Method", b"prompts/get"), (b"Name", b"recommend")],
    ]
    assert all(b"MCP-Protocol-Version: 2026-07-28" in head for head in heads)
    _, raw = play_http("tour", "--era", "legacy")
    heads = re.findall(rb"(?:POST|DELETE) /mcp HTTP/1\.1\r\n(.*?)\r\n\r\n", raw["client"], re.DOTALL)
    assert [b"Mcp-Session-Id: " in head and b"MCP-Protocol-Version: 2025-11-25" in head for head in heads] == (
        [False] + [True] * 9
    )


def size(message: Any) -> int:
    """Returns the bytes of a message as compact JSON."""
    return len(json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode())
