"""The line on each message for whoever watches."""

import pytest

from mcpsniff.capture.body import Entry
from mcpsniff.proxy import live


@pytest.mark.parametrize(
    ("body", "what"),
    [
        (b'{"id":1,"method":"tools/call","params":{"name":"echo"}}', "tools/call echo #1"),
        (b'{"id":"a","method":"resources/read","params":{"uri":"file:///x"}}', "resources/read file:///x #a"),
        (b'{"method":"notifications/initialized"}', "notifications/initialized"),
        (b'{"id":0,"result":{}}', "result #0"),
        (b'{"id":0,"error":{"code":-32601}}', "error -32601 #0"),
        (b'{"method":"\\u001b[2J","params":[1]}', "\\x1b[2J"),
        (b"[1,2]", "2 messages"),
        (b"7", "no message"),
        (b"<html>", "no JSON"),
        (b"[" * 100_000, "no JSON"),
        (b'"' + b"x" * (1 << 20) + b'"', "a large body"),
    ],
)
def test_what_a_body_is(body, what):
    """Method, name and id, or what stands in their place; nothing that could drive a terminal."""
    assert live.what(body) == what


def test_lines():
    """Time, exchange, direction, message, size; ends are shown where they are not as they should be."""
    assert (
        live.line(Entry(1.5, 1, {"from": "client", "x": "x1"}, body=b"{}", size=2)) == "    1.500    x1 → result  2 B"
    )
    assert (
        live.line(Entry(1.5, 1, {"from": "server", "x": "x1"}, body=b"x", size=1)) == "    1.500    x1 ← no JSON  1 B"
    )
    cut = {"x": "x1", "by": "server", "why": "closed"}
    assert live.line(Entry(2, 2, cut, "close")) == "    2.000    x1 × closed by server (closed)"
    assert live.line(Entry(2, 2, {**cut, "why": "complete"}, "close")) is None
    assert live.line(Entry(2, 2, {"x": "x1"}, "response")) is None


def test_a_line_is_put_on_stderr(capfd):
    """What cannot be encoded is escaped."""
    live.put("a \udcff")
    assert capfd.readouterr().err == "a \\udcff\n"
