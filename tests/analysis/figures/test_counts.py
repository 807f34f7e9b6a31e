"""Messages and bytes by side: what counts, what does not."""

import pytest


def test_messages_by_side_and_kind(talk):
    """Requests, responses and notifications are told apart; bytes are lines with their ends."""
    talk.say("client", '{"jsonrpc":"2.0","id":1,"method":"ping"}')
    talk.say("server", '{"jsonrpc":"2.0","id":1,"result":{}}')
    talk.say("server", '{"jsonrpc":"2.0","method":"notifications/message","params":{}}')
    messages = talk.session()["messages"]
    assert messages["client"] == {"requests": 1, "responses": 0, "notifications": 0, "bytes": 41}
    assert messages["server"] == {"requests": 0, "responses": 1, "notifications": 1, "bytes": 37 + 63}
    assert messages["total"] == 3


def test_noise_counts_as_bytes_and_text_alone(talk):
    """A line that is no JSON is no message, but its bytes crossed the wire; stderr is only counted."""
    talk.add(type="text", **{"from": "server"}, size=6, raw="hello")
    talk.add(type="stderr", size=4, raw="log")
    messages = talk.session()["messages"]
    assert (messages["server"]["bytes"], messages["text"], messages["stderr"], messages["total"]) == (6, 1, 1, 0)


def test_an_object_torn_over_lines_is_no_message(talk):
    """A pretty-printed answer counts as text lines, not as a message."""
    talk.client(id=1, method="ping")
    for part in ('{"jsonrpc": "2.0",', '"id": 1,', '"result": {}}'):
        talk.add(type="text", **{"from": "server"}, size=len(part) + 1, raw=part)
    messages = talk.session()["messages"]
    assert messages["server"] == {"requests": 0, "responses": 0, "notifications": 0, "bytes": 19 + 9 + 14}
    assert messages["text"] == 3


@pytest.mark.parametrize(("revision", "requests"), [("2025-03-26", 3), ("2025-06-18", 1)])
def test_batch_elements_count_where_the_revision_has_batches(talk, revision, requests):
    """Two pings in an array are two requests in 2025-03-26, and no message elsewhere."""
    params = {"protocolVersion": revision, "capabilities": {}, "clientInfo": {"name": "c", "version": "1"}}
    talk.client(id=0, method="initialize", params=params)
    talk.server(
        id=0, result={"protocolVersion": revision, "capabilities": {}, "serverInfo": {"name": "s", "version": "1"}}
    )
    talk.say("client", '[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":2,"method":"ping"}]')
    assert talk.session()["messages"]["client"]["requests"] == requests


def test_http_counts_the_json_text_alone(web):
    """Event-stream framing is no part of a message's bytes."""
    web.add(type="request", x="x1", conn="c1", method="POST", url="http://h/mcp", headers=[], head_size=50)
    web.say("client", '{"jsonrpc":"2.0","id":1,"method":"ping"}', x="x1")
    web.add(type="response", x="x1", status=200, headers=[["content-type", "text/event-stream"]], head_size=40)
    web.say("server", '{"jsonrpc":"2.0","id":1,"result":{}}', x="x1", sse={}, size=44)
    web.add(type="close", x="x1", by="server", why="complete")
    session = web.session()
    assert (session["messages"]["client"]["bytes"], session["messages"]["server"]["bytes"]) == (40, 36)
    assert session["http"] == {
        "exchanges": 1, "head_bytes": 90, "framing_bytes": 8, "connections": 1, "status": {"200": 1},
    }  # fmt: skip
