"""Heads and bodies below their lines."""

from mcpsniff.render.lines.exchange import Exchanges


def below(rows, *, colour=False):
    """What stands below the line of each row, by its kind."""
    shown = Exchanges(colour=colour)
    return [(row.kind, [line.strip() for line in shown.of(row)]) for row in rows]


def test_head_and_body_of_each_side_stand_below(exchanged, rows):
    """The request line with headers, the status line with headers, the JSON indented and spelled as sent."""
    told = dict(below(rows(exchanged)))
    assert told["http-request"] == ["GET http://h/mcp HTTP/1.1", "Accept: text/event-stream", ""]
    assert told["http-response"] == ["HTTP/1.1 405 Method Not Allowed", "Allow: POST", ""]
    assert told["request"] == [
        "POST http://h/mcp HTTP/1.1",
        "Mcp-Method: ping",
        "{",
        '"jsonrpc": "2.0",',
        '"id": 1.0,',
        '"method": "ping"',
        "}",
        "",
    ]
    assert told["result"][:2] == ["HTTP/1.1 200 OK", "Content-Type: application/json"]


def test_head_is_shown_once(web, rows):
    """The second event of a stream has its body alone."""
    web.add(type="request", x="a", method="GET", url="http://h/mcp", headers=[["Mcp-Session-Id", "z"]])
    web.add(type="response", x="a", status=200, headers=[["Content-Type", "text/event-stream"]])
    for _ in range(2):
        web.say("server", '{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}', x="a", sse={})
    told = [lines[0] for kind, lines in below(rows(web)) if kind in ("http-response", "notification")]
    assert told == ["HTTP 200 OK", "{", "{"]


def test_noise_is_shown_line_by_line_and_safe(talk, rows):
    """A text body keeps its lines; what could drive a terminal is escaped."""
    talk.add(type="text", **{"from": "server"}, size=9, raw="a\x1b[2J\nb")
    ((_, lines),) = [one for one in below(rows(talk)) if one[0] == "noise"]
    assert lines == [r"a\x1b[2J", "b", ""]


def test_json_that_cannot_be_indented_is_shown_as_sent(talk, rows):
    """An unpaired surrogate, in one line."""
    text = r'{"jsonrpc":"2.0","method":"\ud800"}'
    talk.say("client", text)
    assert (below(rows(talk))[1])[1][0] in (text, "{")
