"""What released servers do on HTTP against the specification is reported while they do it."""

from collections.abc import Callable
from typing import Any

LEGACY, MODERN = "2025-11-25", "2026-07-28"
META = {
    "io.modelcontextprotocol/protocolVersion": MODERN,
    "io.modelcontextprotocol/clientInfo": {"name": "hand", "version": "1.0.0"},
    "io.modelcontextprotocol/clientCapabilities": {},
}
Start = Callable[[str], tuple[Any, Callable[..., Any]]]


def modern(method: str, version: str = MODERN, **more: str) -> dict[str, str]:
    """The headers of a modern request."""
    return {"MCP-Protocol-Version": version, "Mcp-Method": method, **more}


def told(session: Any, violator: str) -> dict[str, tuple[str, str]]:
    """What is found on one side: severity and clause below the revision, by rule."""
    pages = f"https://modelcontextprotocol.io/specification/{session['revision']}/"
    return {
        one["rule"]: (one["severity"], one["spec"][0].removeprefix(pages))
        for one in session["findings"]
        if one["violator"] == violator
    }


def test_a_contradicting_version_header(hand: Start) -> None:
    """A modern body under a legacy version header: refused with a wrong code, and without the id that was readable."""
    client, ended = hand("py2")
    client.post(modern("server/discover"), id=1, method="server/discover", params={"_meta": META}).read()
    client.post(modern("tools/list", LEGACY), id=2, method="tools/list", params={"_meta": META}).read()
    session = ended()
    page = "basic/transports/streamable-http#server-validation"
    assert told(session, "server") == {
        "header-mismatch-wrong-rejection": ("error", page),
        "error-response-missing-id": ("error", "basic/index#error-responses"),
    }
    assert told(session, "client") == {"header-body-mismatch": ("error", page)}


def test_a_cancelled_request_that_is_answered(hand: Start) -> None:
    """The answer may have crossed the notification, so this is advice."""
    client, ended = hand("py2")
    params = {"protocolVersion": LEGACY, "capabilities": {}, "clientInfo": {"name": "hand", "version": "1.0.0"}}
    opened = client.post({}, id=0, method="initialize", params=params)
    opened.read()
    headers = {"MCP-Protocol-Version": LEGACY, "Mcp-Session-Id": opened.getheader("mcp-session-id")}
    client.post(headers, method="notifications/initialized").read()
    params = {"name": "hang", "arguments": {}, "_meta": {"progressToken": "p"}}
    stream = client.post(headers, id=7, method="tools/call", params=params)
    while b"notifications/progress" not in stream.readline():
        pass
    client.post(headers, method="notifications/cancelled", params={"requestId": 7}).read()
    stream.read()
    clause = "basic/utilities/cancellation#behavior-requirements"
    assert told(ended(), "server")["message-after-cancel"] == ("info", clause)


def test_a_foreign_origin(hand: Start) -> None:
    """A request from a web page elsewhere is served; who wants to hear of it asks for pedantry."""
    client, ended = hand("fastmcp4")
    headers = modern("server/discover", Origin="http://elsewhere.example")
    answer = client.post(headers, id=1, method="server/discover", params={"_meta": META})
    assert answer.status == 200
    answer.read()  # unread, it may be cut by the end of the proxy: then nothing says the server's era
    found = told(ended("--pedantic"), "server")
    assert found["foreign-origin-accepted"] == ("error", "basic/transports/streamable-http#security-endpoint")
