"""Each scenario shows on the wire what it is there for."""

from collections.abc import Callable
from typing import Any

import pytest

STATE = "requestState"


def test_input_required_and_retry(play: Callable[..., Any]) -> None:
    """The retry has a new id, the same state and params, and the answer to each question."""
    played = play("confirm", "--era", "modern", server=("--era", "modern"))
    assert played.code == 0
    first, retry = played.sent("client", "tools/call")
    asked, done = played.answer(first["id"])["result"], played.answer(retry["id"])["result"]
    assert (asked["resultType"], done["resultType"]) == ("input_required", "complete")
    assert first["id"] != retry["id"]
    assert retry["params"][STATE] == asked[STATE]
    assert {name: retry["params"][name] for name in ("name", "arguments")} == {
        name: first["params"][name] for name in ("name", "arguments")
    }
    assert retry["params"]["inputResponses"] == {"confirmation": {"action": "accept", "content": {"confirm": True}}}
    assert done["content"][0]["text"] == "Moby-Dick is gone."
    assert not [message for by, message in played.messages if by == "server" and "method" in message]


def test_input_required_over_http(play_http: Callable[..., Any]) -> None:
    """Over HTTP each leg is an exchange of its own."""
    played, raw = play_http("confirm", "--era", "modern", "--no-discover", server=("--era", "modern"))
    assert played.code == 0
    assert raw["client"].count(b"POST /mcp") == 2
    assert raw["server"].count(b'"resultType":"input_required"') == 1
    assert raw["client"].count(b'"inputResponses"') == 1


def test_version_mismatch(play: Callable[..., Any]) -> None:
    """A version that the server does not speak costs one round trip, and nothing has to be built up again."""
    played = play("call", "--era", "modern", "--no-discover", "--offer", "2027-01-01", server=("--era", "modern"))
    assert played.code == 0
    assert [message.get("method") for _, message in played.messages] == ["tools/call", None, "tools/call", None]
    error = played.answer(1)["error"]
    assert (error["code"], error["data"]) == (-32022, {"supported": ["2026-07-28"], "requested": "2027-01-01"})
    assert [
        message["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"]
        for message in played.sent("client", "tools/call")
    ] == ["2027-01-01", "2026-07-28"]


def test_version_mismatch_over_http(play_http: Callable[..., Any]) -> None:
    """Over HTTP the refusal is a 400, and the client stays modern."""
    played, raw = play_http("call", "--era", "dual", "--offer", "2027-01-01", server=("--era", "dual"))
    assert played.out.startswith("call, modern")
    assert raw["server"].startswith(b"HTTP/1.1 400")
    assert b"initialize" not in raw["client"]


def test_server_initiated_elicitation(play: Callable[..., Any]) -> None:
    """In the handshake era the server asks in the midst of the call, by a request with an id of its own."""
    played = play("confirm", "--era", "legacy", server=("--era", "legacy"))
    assert played.code == 0
    tail = [(by, message.get("method", "response")) for by, message in played.messages[3:]]
    assert tail == [
        ("client", "tools/call"),
        ("server", "elicitation/create"),
        ("client", "response"),
        ("server", "notifications/resources/list_changed"),
        ("server", "response"),
    ]


def test_server_initiated_elicitation_over_http(play_http: Callable[..., Any]) -> None:
    """Over HTTP the request comes on the call's stream, primed for resumption, and its answer is posted: 202."""
    played, raw = play_http("confirm", "--era", "legacy", server=("--era", "legacy"))
    assert played.code == 0
    stream = raw["server"][raw["server"].index(b"text/event-stream") :]
    assert (
        stream.index(b"id: s1-0\ndata:\n\n") < stream.index(b"id: s1-1\ndata: {") < stream.index(b"id: s1-2\ndata: {")
    )
    assert raw["server"].count(b"HTTP/1.1 202") == 2  # initialized, and the answer


@pytest.mark.parametrize(
    ("offer", "agreed"),
    [
        ("2024-11-05", "2024-11-05"),
        ("2025-03-26", "2025-03-26"),
        ("2025-06-18", "2025-06-18"),
        ("1999-01-01", "2025-11-25"),
    ],
)
def test_old_and_unknown_versions(play: Callable[..., Any], offer: str, agreed: str) -> None:
    """The server agrees to what it knows and answers anything else with its newest version of the era."""
    played = play("tour", "--era", "legacy", "--offer", offer)
    assert played.code == 0
    assert played.answer(1)["result"]["protocolVersion"] == agreed
    tools = next(m["result"]["tools"] for _, m in played.messages if "tools" in m.get("result", {}))
    assert ("annotations" in tools[0]) == (agreed >= "2025-03-26")
    assert ("outputSchema" in tools[0]) == (agreed >= "2025-06-18")


@pytest.mark.parametrize("scenario", ["tour", "confirm", "cancel", "changes"])
def test_the_old_transport_is_recognised(play_http: Callable[..., Any], scenario: str) -> None:
    """Probe and initialize are refused with 405, a GET brings the endpoint event, and all goes on over the stream."""
    played, raw = play_http(scenario, "--era", "dual", path="/sse")
    assert played.code == 0
    assert played.out.startswith(f"{scenario}, legacy")
    assert raw["server"].count(b"HTTP/1.1 405") == 2
    assert raw["server"].count(b"event: endpoint\ndata: /messages?session_id=") == 1
    assert raw["client"].count(b"GET /sse") == 1
    assert b"HTTP/1.1 200" in raw["server"]


def test_an_old_client_is_not_asked(play: Callable[..., Any]) -> None:
    """Before elicitation existed the tool fails with a text, and the server sends no request."""
    played = play("confirm", "--era", "legacy", "--offer", "2025-03-26")
    assert "remove_book: failed:" in played.out
    assert not played.sent("server", "elicitation/create")


@pytest.mark.parametrize(("era", "missing_resource"), [("legacy", -32002), ("modern", -32602)])
def test_tool_errors_and_protocol_errors(play: Callable[..., Any], era: str, missing_resource: int) -> None:
    """A failing tool is a result; an unknown tool, resource or method and a missing argument are errors."""
    played = play("errors", "--era", era)
    assert played.code == 0
    answers = [message for by, message in played.messages if by == "server"][1:]
    assert answers[0]["result"]["isError"] is True
    codes = [answer["error"]["code"] for answer in answers[1:]]
    assert codes == [-32602, missing_resource, -32602, -32601]


def test_unknown_method_over_modern_http_is_404(play_http: Callable[..., Any]) -> None:
    """The one error whose status the specification ties to 404."""
    _, raw = play_http("errors", "--era", "modern")
    assert raw["server"].count(b"HTTP/1.1 404") == 1


@pytest.mark.parametrize("era", ["legacy", "modern"])
def test_pagination(play: Callable[..., Any], era: str) -> None:
    """Three pages, each cursor the one that the page before gave, none on the last."""
    played = play("pages", "--era", era, server=("--page-size", "3"))
    requests = played.sent("client", "resources/list")
    pages = [played.answer(request["id"])["result"] for request in requests]
    given, used = [page.get("nextCursor") for page in pages], [r.get("params", {}).get("cursor") for r in requests]
    assert [len(page["resources"]) for page in pages] == [3, 3, 2]
    assert used == [None, *given[:-1]]
    assert given[-1] is None
    uris = [resource["uri"] for page in pages for resource in page["resources"]]
    assert len(set(uris)) == 8


@pytest.mark.parametrize("era", ["legacy", "modern"])
def test_progress(play: Callable[..., Any], era: str) -> None:
    """Every step is told with the request's token, rising, and before the result."""
    played = play("progress", "--era", era)
    told = played.sent("server", "notifications/progress")
    assert [notification["params"]["progress"] for notification in told] == [1, 2, 3, 4, 5, 6, 7]
    assert {notification["params"]["progressToken"] for notification in told} == {"export-1"}
    assert "result" in played.messages[-1][1]


@pytest.mark.parametrize("era", ["legacy", "modern"])
def test_cancellation_on_stdio(play: Callable[..., Any], era: str) -> None:
    """A notification names the request, nothing more comes for it, and the next request is answered."""
    played = play("cancel", "--era", era)
    export, search = played.sent("client", "tools/call")
    (cancelled,) = played.sent("client", "notifications/cancelled")
    assert cancelled["params"]["requestId"] == export["id"]
    at = played.messages.index(("client", cancelled))
    assert [message.get("id") for by, message in played.messages[at:] if by == "server"] == [search["id"]]


def test_cancellation_over_modern_http_is_closing(play_http: Callable[..., Any]) -> None:
    """The client closes the stream and sends no message about it; the server stops, so the export has no answer."""
    played, raw = play_http("cancel", "--era", "modern", "--no-discover")
    assert played.code == 0
    assert b"notifications/cancelled" not in raw["client"]
    assert raw["server"].count(b'"resultType":"complete"') == 1


def test_cancellation_over_legacy_http_is_a_notification(play_http: Callable[..., Any]) -> None:
    """In the handshake era closing means nothing; the cancelled call's stream ends without a response."""
    played, raw = play_http("cancel", "--era", "legacy")
    assert played.code == 0
    assert raw["client"].count(b"notifications/cancelled") == 1
    assert raw["server"].count(b'"content":') == 1


def test_subscription(play: Callable[..., Any]) -> None:
    """Acknowledged first, changes tagged with the listen request's id, ended by the client's notification."""
    played = play("changes", "--era", "modern")
    (listen,) = played.sent("client", "subscriptions/listen")
    tagged = [
        message
        for by, message in played.messages
        if message.get("params", {}).get("_meta", {}).get("io.modelcontextprotocol/subscriptionId") == listen["id"]
    ]
    assert [message["method"].removeprefix("notifications/") for message in tagged] == [
        "subscriptions/acknowledged",
        "resources/list_changed",
        "resources/updated",
    ]
    assert tagged[0]["params"]["notifications"] == listen["params"]["notifications"]
    assert played.sent("client", "notifications/cancelled")[0]["params"]["requestId"] == listen["id"]


def test_subscription_that_the_server_ends(play: Callable[..., Any]) -> None:
    """At the end of input an open subscription gets its result, tagged with its id."""
    played = play("listen", "--era", "modern")
    (listen,) = played.sent("client", "subscriptions/listen")
    result = played.answer(listen["id"])["result"]
    assert result["resultType"] == "complete"
    assert result["_meta"]["io.modelcontextprotocol/subscriptionId"] == listen["id"]
    assert played.messages[-1][1]["id"] == listen["id"]


@pytest.mark.parametrize("era", ["legacy", "modern"])
def test_subscription_over_http(play_http: Callable[..., Any], era: str) -> None:
    """Legacy changes come over the GET stream, modern ones over the listen request's own."""
    played, raw = play_http("changes", "--era", era)
    assert played.out.count("told: ") == 2
    assert (b"GET /mcp" in raw["client"]) == (era == "legacy")
    assert (b"subscriptions/listen" in raw["client"]) == (era == "modern")


def test_what_a_legacy_server_remembers(play: Callable[..., Any]) -> None:
    """Log level, subscription and an open question, each visible in what the server does later."""
    played = play("memory", "--era", "legacy")
    assert played.code == 0
    (log,) = played.sent("server", "notifications/message")
    assert log["params"]["level"] == "info"
    assert [m["params"]["uri"] for m in played.sent("server", "notifications/resources/updated")] == [
        "library://catalogue"
    ]


@pytest.mark.parametrize("era", ["legacy", "modern"])
def test_reading_lists_go_by_handle(play: Callable[..., Any], era: str) -> None:
    """The handle of one call serves the next."""
    played = play("lists", "--era", era)
    assert played.out.count("Moby-Dick") == 2
    assert "failed" not in played.out


def test_a_false_claim(play: Callable[..., Any]) -> None:
    """The calendar's tidy_up says that it only reads, and clears everything."""
    played = play("diary", "--era", "modern", script="calendar_server.py")
    tools = next(m["result"]["tools"] for _, m in played.messages if "tools" in m.get("result", {}))
    assert {tool["name"]: tool["annotations"]["readOnlyHint"] for tool in tools} == {"search": True, "tidy_up": True}
    assert "tidy_up: Removed 2 appointments." in played.out
    assert played.out.endswith('search: {"entries":[]}\n')


def test_the_faulty_build(play: Callable[..., Any], tmp_path: Any) -> None:
    """Noise on stdout, a request of the server in a modern session, and a retry under the old id."""
    faults = ("--faulty", "noise", "--faulty", "server-request")
    played = play("confirm", "--era", "modern", "--faulty", "reused-retry-id", server=("--era", "modern", *faults))
    assert played.code == 0
    assert b"server\tDEBUG serving tools/call\n" in (tmp_path / "tee.log").read_bytes()
    assert [message["id"] for message in played.sent("server", "elicitation/create")] == ["server-confirmation"]
    first, retry = played.sent("client", "tools/call")
    assert first["id"] == retry["id"]
