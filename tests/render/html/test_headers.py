"""The headers that HTTP would have for messages of stdio."""

import pytest

from mcpsniff.analysis.timeline import read_whole
from mcpsniff.render.html.headers import SESSION, imagined


def headers(file):
    """The headers of each message, by record."""
    return {row.seq: imagined(row, row.message) for row in read_whole(file)[2] if row.message is not None}


@pytest.mark.parametrize(
    ("name", "value"),
    [("echo", "echo"), ("größe", "=?base64?Z3LDtsOfZQ==?="), (" x", "=?base64?IHg=?="), ("a b", "a b")],
)
def test_a_modern_request_mirrors_its_body(talk, meta, name, value):
    """Version, method and name; what cannot stand in a header comes in base64."""
    seq = talk.client(id=1, method="tools/call", params={"name": name, "arguments": {}, "_meta": meta})
    assert headers(talk.file())[seq] == [
        ("MCP-Protocol-Version", "2026-07-28"), ("Mcp-Method", "tools/call"), ("Mcp-Name", value),
    ]  # fmt: skip


def test_a_legacy_session_names_itself_after_the_handshake(talk):
    """The handshake's request goes without; what follows names the revision and the session; answers have none."""
    talk.handshake()
    assert headers(talk.file()) == {1: None, 2: None, 3: [("MCP-Protocol-Version", "2025-11-25"), SESSION]}


def test_recorded_headers_are_not_made_up(web):
    """What came over HTTP has its own."""
    web.add(type="request", x="x1", method="POST", url="http://h/mcp", headers=[])
    seq = web.say("client", '{"jsonrpc":"2.0","id":1,"method":"ping"}', x="x1")
    assert headers(web.file())[seq] is None
