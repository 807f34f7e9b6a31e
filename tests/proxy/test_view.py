"""What mitmproxy shows of a message, in either major version."""

import asyncio
import json

import pytest
from mitmproxy import contentviews, http
from mitmproxy.test import taddons, tflow

from mcpsniff.proxy import remarks, view

CALL = b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo"}}'
MODERN = {"mcp-protocol-version": "2026-07-28"}


def flow(media="application/json", body=b"{}", **headers):
    request = http.Request.make(
        "POST", "http://localhost/mcp", CALL, {k.replace("_", "-"): v for k, v in headers.items()}
    )
    made = tflow.tflow(req=request)
    made.response = http.Response.make(200, body, {"content-type": media})
    return made


def shown(message, of):
    return list(view.lines(message.content, message, of))


def test_request():
    """Revision and era, the message in a few words, its JSON."""
    of = flow(**MODERN)
    first, what, *body = shown(of.request, of)
    assert (first, what) == ("revision 2026-07-28 (modern)", "tools/call echo #1")
    assert json.loads("\n".join(body)) == json.loads(CALL)


def test_what_is_wrong_stands_first():
    """One line for each, also where the user has a comment of its own."""
    of = flow()
    of.comment = "mine"
    remarks.fault(of, ["HTTP 500", "no answer"])
    for seq in (3, 5):
        remarks.find(of, remarks.Finding(seq, "tool-name", "warning", "a\x07"))
    assert shown(of.response, of)[:4] == ["! HTTP 500", "! no answer", "! warning tool-name: a\\x07", "result"]


def test_event_stream():
    """Each block with its fields; comments and what is cut too."""
    stream = b"id: 7\nevent: message\ndata: " + CALL + b"\n\n: ping\n\ndata: {"
    of = flow("text/event-stream", stream, mcp_protocol_version="2025-06-18")
    lines = shown(of.response, of)
    assert lines[:4] == ["revision 2025-06-18 (legacy)", "", "· event: message, id: 7", "tools/call echo #1"]
    assert "· comment: ping" in lines
    assert lines[-3:] == ["· unfinished", "no JSON", "{"]


def test_hostile_text():
    """Nothing of it drives the terminal."""
    of = flow("text/plain", b"\x1b[2J\xff")
    assert shown(of.response, of)[-1] == "\\x1b[2J\\xff"


NOTE = b'data: {"jsonrpc":"2.0","method":"notifications/message"}\n\n'


@pytest.mark.parametrize(
    ("asked", "body", "headers", "applies"),
    [
        (CALL, b"<html>", {}, True),
        (b"", b"<html>", MODERN, True),
        (b"", NOTE, {}, True),
        (b"", b"event: endpoint\ndata: /m\n\n", {}, True),
        (b"", b'data: {"choices":[]}\n\n', {}, False),
        (b"{}", b"", {}, False),
    ],
)
def test_which_bodies_are_shown(asked, body, headers, applies):
    """Those that speak MCP, and all of an exchange whose request does, or that has a header of MCP's own."""
    of = flow("text/event-stream", body, **headers)
    of.request.content = asked
    assert view.applies(body, of.response, of) is applies


def test_body_of_an_unknown_flow():
    """It stands for itself."""
    assert [view.applies(body, None, None) for body in (CALL, b"{}")] == [True, False]


def test_mitmproxy_takes_the_view_by_itself():
    """Loaded twice, as after a reload, there is one, and it is chosen for MCP before that for JSON."""
    of = flow(**MODERN)

    async def main():
        with taddons.context():
            for _ in range(2):
                view.McpView().load(None)
            if hasattr(contentviews, "prettify_message"):
                pretty = contentviews.prettify_message(of.request, of)
                return pretty.view_name, pretty.text.splitlines()
            name, lines, _ = contentviews.get_message_content_view("auto", of.request, of)
            return name, ["".join(text for _, text in line) for line in lines]

    name, lines = asyncio.run(main())
    assert (name, lines[1]) == ("MCP", "tools/call echo #1")
