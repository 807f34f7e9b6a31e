"""Rows as JSON lines and as bytes."""

import json

from mcpsniff.render.lines.data import as_json, as_seen, as_sent


def test_json_holds_the_message_as_it_was_sent(talk, rows):
    """Numbers keep their spelling, the id is a JSON value, and the line has no character that drives a terminal."""
    talk.say("client", '{"jsonrpc":"2.0",\r"id":1e0,"method":"ping","params":{"n":123456789012345678901,"s":"\x9b2J"}}')
    line = as_json(rows(talk)[1])
    assert line.endswith(b"\n")
    assert line.count(b"\n") == 1
    assert b'"id":1e0,"method":"ping"' in line
    assert b"123456789012345678901" in line
    assert line[:-1].decode().isprintable()
    assert json.loads(line)["message"]["params"]["s"] == "\x9b2J"


def test_json_of_other_rows_has_their_text(talk, rows):
    """Noise stands under `raw`."""
    talk.add(type="text", **{"from": "server"}, size=9, raw="Starting")
    assert json.loads(as_json(rows(talk)[1]))["raw"] == "Starting"


def test_bytes_of_one_side_put_together_are_what_it_wrote(talk, rows):
    """Line ends of each line as they were, noise between messages, a batch once."""
    talk.say("client", '[{"jsonrpc":"2.0","id":1,"method":"ping"}]', eol="\r\n")
    talk.add(type="text", **{"from": "client"}, size=2, raw="x")
    talk.say("client", "5", eol="")
    sent = b"".join(as_sent(row) for row in rows(talk) if row.sender == "client")
    assert sent == b'[{"jsonrpc":"2.0","id":1,"method":"ping"}]\r\nx\n5'


def test_rows_without_bytes_give_none(talk, rows):
    """The end of a stream sent nothing."""
    talk.add(type="eof", stream="stdin")
    assert [as_sent(row) for row in rows(talk)] == [b"", b""]
    assert [as_seen(row) for row in rows(talk)] == [b"", b""]


def test_eyes_see_escapes(talk, rows):
    """In a terminal the same bytes are escaped."""
    talk.add(type="text", **{"from": "server"}, size=9, raw="\x1b[31mred")
    assert as_seen(rows(talk)[1]) == b"\\x1b[31mred\n"
