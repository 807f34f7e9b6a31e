"""One row: what it says of itself, as data and to the filter language."""

import json

from mcpsniff.analysis.row import values
from mcpsniff.analysis.timeline import read_whole
from mcpsniff.query import FIELDS
from mcpsniff.rules.selection import Selection


def rows_of(file, selection=None):
    """All rows of a capture but those of changes."""
    return [row for row in read_whole(file, selection or Selection())[2] if row.kind not in ("session", "era")]


def test_data_leaves_out_what_does_not_apply(talk):
    """An answer as data: every key that it has, and no other; the id is JSON text."""
    talk.handshake()
    talk.client(id="a", method="tools/call", params={"name": "search"})
    talk.server(id="a", error={"code": -32602, "message": "No such tool"})
    assert values(rows_of(talk.file())[-1]) == {
        "seq": 5,
        "t": 0.5,
        "capture": "c",
        "session": "s1",
        "era": "legacy",
        "from": "server",
        "kind": "error",
        "id": '"a"',
        "method": "tools/call",
        "name": "search",
        "size": 76,
        "latency": 0.1,
        "answers": 4,
        "root": 4,
        "detail": "-32602 No such tool",
    }


def test_findings_stand_with_their_culprit(talk):
    """Noise has its finding, with the words of the report."""
    talk.handshake()
    talk.add(type="text", **{"from": "server"}, size=9, raw="Starting")
    (noise,) = [row for row in rows_of(talk.file()) if row.findings]
    assert noise.kind == "noise"
    assert values(noise)["findings"] == [
        {
            "rule": "stdout-noise",
            "severity": "error",
            "violator": "server",
            "message": "text in a message's place: Starting",
        }
    ]


def test_every_field_of_the_language_can_be_looked_up(talk):
    """A message and a record without one both answer for every field."""
    talk.handshake()
    talk.add(type="eof", stream="stdin")
    request, *_, eof = rows_of(talk.file())
    assert {name: request.field(name) for name in ("id", "from", "session", "era", "rule")} == {
        "id": "0",
        "from": "client",
        "session": "s1",
        "era": "legacy",
        "rule": [],
    }
    assert {name: eof.field(name) for name in FIELDS if eof.field(name) not in (None, [])} == {
        "from": "client",
        "kind": "eof",
        "era": "legacy",
        "session": "s1",
        "t": 0.4,
        "seq": 4,
    }


def test_text_is_what_one_may_search(web):
    """A message's JSON as sent; a head's line and its headers."""
    web.add(type="request", x="a", method="POST", url="http://h/mcp", headers=[["Mcp-Method", "ping"]])
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "ping"})
    web.say("client", body, x="a")
    head, message = rows_of(web.file())
    assert head.text == "POST http://h/mcp\nMcp-Method: ping"
    assert message.text == body


def test_name_of_a_notification_is_what_it_is_about(talk):
    """A resource that changed is named by its URI, and an odd one by nothing."""
    talk.server(method="notifications/resources/updated", params={"uri": "file:///a"})
    talk.server(method="notifications/resources/updated", params={"uri": 5})
    assert [row.name for row in rows_of(talk.file())] == ["file:///a", None]


def test_ids_compare_by_value(talk):
    """1.0 and "1" answer to 1; the spelling stays."""
    talk.say("client", '{"jsonrpc":"2.0","id":1.0,"method":"ping"}')
    talk.say("client", '{"jsonrpc":"2.0","id":"1","method":"ping"}')
    rows = rows_of(talk.file())
    assert [row.field("id") for row in rows] == ["1", "1"]
    assert [row.id for row in rows] == ["1.0", '"1"']
