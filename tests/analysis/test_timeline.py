"""The rows of captures: what each says, in which order, and what of HTTP has no line of its own."""

import json
from io import BytesIO
from pathlib import Path

import pytest

from mcpsniff.analysis.engine import analyze
from mcpsniff.analysis.timeline import read_whole
from mcpsniff.errors import McpsniffError
from mcpsniff.rules.selection import EVERYTHING, NOTHING

ROOT = Path(__file__).parents[2]
SAMPLES = sorted(ROOT.glob("samples/rules/*/bad-*.jsonl"))


def rows_of(file: BytesIO):
    """All rows of a capture, without rules."""
    return read_whole(file, NOTHING)[2]


def brief(rows):
    """Record and kind of each."""
    return [(row.address, row.kind) for row in rows]


def test_every_message_has_a_row_with_its_call(talk):
    """An answer tells request, method, name and latency; a change of era follows the message that decided it."""
    talk.handshake()
    talk.client(id=7, method="tools/call", params={"name": "search"})
    talk.server(id=7, result={"content": []})
    rows = rows_of(talk.file())
    assert brief(rows) == [
        ("0", "session"),
        ("1", "request"),
        ("2", "result"),
        ("2", "era"),
        ("3", "notification"),
        ("4", "request"),
        ("5", "result"),
    ]
    answer = rows[-1]
    assert (answer.sender, answer.id, answer.method, answer.name) == ("server", "7", "tools/call", "search")
    assert (answer.answers, answer.latency, answer.root) == (4, 0.1, 4)
    assert rows[3].detail == "legacy 2025-11-25"
    assert {row.session.key for row in rows} == {"s1"}


def test_elements_of_a_batch_have_addresses_of_their_own(talk):
    """The whole comes first under the record's number, then its elements, with the size of their own text."""
    talk.say("client", '[{"jsonrpc":"2.0","id":1,"method":"ping"}, {"jsonrpc":"2.0","method":"notifications/x"}]')
    rows = rows_of(talk.file())[1:]
    assert brief(rows) == [("1", "batch"), ("1.1", "request"), ("1.2", "notification")]
    assert [row.size for row in rows] == [89, 40, 44]


def test_torn_message_is_shown_as_its_lines_and_as_itself(talk):
    """Lines that are no messages are noise; the message that they make together is a part of the first."""
    for text in ('{"jsonrpc":"2.0",', '"id":1,"method":"ping"}'):
        talk.add(type="text", **{"from": "client"}, size=len(text) + 1, raw=text)
    rows = rows_of(talk.file())[1:]
    assert sorted(brief(rows)) == [("1", "noise"), ("1.1", "request"), ("2", "noise")]
    (message,) = [row for row in rows if row.kind == "request"]
    assert (message.method, message.id, message.data) == ("ping", "1", b'{"jsonrpc":"2.0", "id":1,"method":"ping"}')


def test_progress_and_cancellation_tell_what_they_are_about(talk):
    """Each names the record of its request."""
    talk.client(id=1, method="tools/call", params={"name": "slow", "_meta": {"progressToken": "p"}})
    talk.server(method="notifications/progress", params={"progressToken": "p", "progress": 1})
    talk.client(method="notifications/cancelled", params={"requestId": 1})
    _, _, progress, cancelled = rows_of(talk.file())
    assert [(row.about, row.name, row.answers) for row in (progress, cancelled)] == [(1, "slow", None)] * 2


def test_retry_goes_on_from_the_answer_that_asked_for_input(talk, meta):
    """A retry names the answer that it goes on from; all legs have one root."""
    ask = {"method": "elicitation/create", "params": {"message": "sure?", "requestedSchema": {"type": "object"}}}
    params = {"name": "remove", "arguments": {}, "_meta": meta}
    talk.client(id=1, method="tools/call", params=params)
    talk.server(id=1, result={"resultType": "input_required", "inputRequests": {"ok": ask}, "requestState": "st"})
    talk.client(id=2, method="tools/call", params={**params, "inputResponses": {"ok": {}}, "requestState": "st"})
    talk.server(id=2, result={"resultType": "complete", "content": []})
    rows = [row for row in rows_of(talk.file()) if row.kind in ("request", "result")]
    assert [row.retries for row in rows] == [None, None, 2, None]
    assert [row.root for row in rows] == [1, 1, 1, 1]


def test_process_and_losses_have_rows(talk):
    """Stderr, ends, signals, the exit, gaps and jumps in seq."""
    talk.add(type="stderr", size=6, raw="hello")
    talk.add(type="eof", stream="stdin")
    talk.add(type="signal", signal="SIGTERM")
    talk.add(type="gap", records=2, bytes=90, why="queue-full")
    talk.records[-1]["seq"] = 9
    talk.records.append({"type": "exit", "seq": 10, "t": 2.0, "code": 3})
    rows = rows_of(talk.file(end=False))[1:]
    assert [(row.kind, row.sender, row.detail) for row in rows] == [
        ("stderr", "server", "hello"),
        ("eof", "client", "end of stdin"),
        ("signal", "client", "signal SIGTERM to the server"),
        ("lost", "", "records 4 to 8 are missing"),
        ("gap", "", "2 records lost (queue-full)"),
        ("exit", "server", "exit status 3"),
    ]


def test_findings_stand_with_one_row_each(talk):
    """A loss before noise shares its record's number, and not its finding."""
    talk.add(type="text", **{"from": "server"}, size=9, raw="Starting")
    talk.records[-1]["seq"] = 7
    rows = read_whole(talk.file(end=False))[2]
    found = [(row.kind, len(row.findings)) for row in rows if row.kind != "session"]
    assert found == [("lost", 0), ("noise", 1)]


def test_heads_that_messages_tell_of_are_folded(web):
    """A POST with JSON and its answer: two lines; the rest is folded, and each message knows its head and status."""
    body = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
    web.add(type="request", x="a", method="POST", url="http://h/mcp", headers=[["A", "b"]], body_size=9)
    web.say("client", json.dumps(body), x="a")
    web.add(type="response", x="a", status=200, headers=[["Content-Type", "application/json"]])
    web.say("server", json.dumps({"jsonrpc": "2.0", "id": 1, "result": {}}), x="a")
    web.add(type="close", x="a", by="server", why="complete")
    rows = rows_of(web.file())
    shown = [row for row in rows if not row.folded]
    assert [row.kind for row in shown] == ["session", "request", "result", "era"]
    request, result = shown[1:3]
    assert [(row.x, row.status) for row in (request, result)] == [("a", 200), ("a", 200)]
    assert request.head.headers == [("A", "b")]
    assert result.head.status == 200


@pytest.mark.parametrize(
    ("method", "head", "status", "close", "kinds"),
    [
        ("GET", {}, 405, {"by": "server"}, ["http-request", "http-response"]),
        ("DELETE", {}, 204, {"by": "server"}, ["http-request", "http-response"]),
        ("POST", {"body_size": 0}, 204, {"by": "server"}, ["http-request", "http-response"]),
        ("POST", {}, 500, {"by": "server"}, ["http-close"]),
        ("GET", {}, 200, {"by": "server"}, ["http-request", "http-response"]),
        ("POST", {}, 200, {"by": "client", "why": "reset"}, ["http-close"]),
        ("GET", {}, None, {"by": "error", "error": "refused"}, ["http-request", "http-close"]),
    ],
)
def test_heads_without_messages_have_lines(web, method, head, status, close, kinds):
    """What no message tells of is shown: requests and responses without a body, ends that are no ordinary ones."""
    web.add(type="request", x="a", method=method, url="http://h/mcp", headers=[["Mcp-Session-Id", "z"]], **head)
    if status is not None:
        web.add(type="response", x="a", status=status, headers=[])
    web.add(type="close", x="a", **close)
    assert [row.kind for row in rows_of(web.file()) if not row.folded and row.kind != "session"] == kinds


def test_empty_refusal_has_one_line(web):
    """Its head says all; the end is no further news."""
    web.add(type="request", x="a", method="POST", url="http://h/mcp", headers=[["Mcp-Method", "ping"]])
    web.add(type="response", x="a", status=405, headers=[["Content-Length", "0"]])
    web.add(type="close", x="a", by="server", why="complete")
    assert [row.kind for row in rows_of(web.file()) if not row.folded] == ["session", "http-response"]


def test_acceptance_of_a_request_is_folded_where_answers_come_elsewhere():
    """Over HTTP+SSE every request is answered with 202, and then on the stream."""
    rows = read_whole(str(ROOT / "samples/captures/legacy/old-client-http.jsonl"), NOTHING)[2]
    shown = [row.status for row in rows if row.kind == "http-response" and not row.folded]
    assert shown == [405, 200]  # of Streamable HTTP, which this server does not speak, and of the stream


def test_bodies_beside_mcp_belong_to_no_session(web):
    """JSON of another API is a body, without a session."""
    web.add(type="request", x="a", method="GET", url="http://h/health", headers=[])
    web.add(type="response", x="a", status=200, headers=[["Content-Type", "application/json"]])
    web.say("server", '{"up":true}', x="a")
    rows = rows_of(web.file())
    assert brief(rows)[-1] == ("3", "body")
    assert {row.session for row in rows} == {None}


def old_transport(web):
    """A request over HTTP+SSE as SDKs serve it: "Accepted" comes before the answer, which comes on the stream."""
    client = {"conn": "c1", "client": "127.0.0.1", "headers": []}
    web.add(type="request", x="a", **client, method="GET", url="http://h/sse")
    web.add(type="response", x="a", status=200, headers=[["Content-Type", "text/event-stream"]])
    web.add(type="sse", x="a", size=40, event="endpoint", data="/messages?s=1")
    web.add(type="request", x="b", **client, method="POST", url="http://h/messages?s=1")
    told = '"protocolVersion":"2025-11-25","capabilities":{}'
    hello = f'{{{told},"clientInfo":{{"name":"c","version":"1"}}}}'
    web.say("client", f'{{"jsonrpc":"2.0","id":1,"method":"initialize","params":{hello}}}', x="b")
    web.add(type="response", x="b", status=202, headers=[])
    web.add(type="text", x="b", **{"from": "server"}, size=8, raw="Accepted")
    web.add(type="close", x="b", by="server", why="complete")
    welcome = f'{{{told},"serverInfo":{{"name":"s","version":"1"}}}}'
    web.say("server", f'{{"jsonrpc":"2.0","id":1,"result":{welcome}}}', x="a", sse={})
    return web.file()


def test_body_of_an_acceptance_is_no_noise(web):
    """The word that comes with 202 stands where no message belongs."""
    rows = rows_of(old_transport(web))
    assert [row.kind for row in rows if row.detail == "Accepted"] == ["body"]
    assert "noise" not in {row.kind for row in rows}


def test_rules_for_another_transport_have_no_doubts(web, report):
    """Over HTTP+SSE 202 is how each request is answered; a rule for Streamable HTTP leaves nothing unjudged."""
    (session,) = report(old_transport(web), rules=True).sessions
    assert (session["transport"], session["unchecked"]) == ("http+sse", [])


def test_event_delivered_again_is_marked(web):
    """A message of a resumed stream that had been delivered says so, and is no second answer."""
    session = {"headers": [["Mcp-Session-Id", "z"], ["Accept", "text/event-stream"]]}
    stream = {"status": 200, "headers": [["Content-Type", "text/event-stream"]]}
    note = '{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":1}}'
    for x, more in (("a", []), ("b", [["Last-Event-ID", "0"]])):
        headers = [*session["headers"], *more]
        web.add(type="request", x=x, method="GET", url="http://h/mcp", headers=headers)
        web.add(type="response", x=x, **stream)
        web.say("server", note, x=x, sse={"id": "1"})
        web.add(type="close", x=x, by="server")
    rows = [row for row in rows_of(web.file()) if row.kind == "notification"]
    assert [row.replayed for row in rows] == [False, True]


def test_sessions_are_numbered_through_captures(talk):
    """The second capture's first session follows those of the first."""
    talk.handshake()
    rows = read_whole(talk.file(), NOTHING, 3)[2]
    assert {row.session.key for row in rows} == {"s4"}


@pytest.mark.parametrize("path", SAMPLES[::7], ids=lambda path: path.parent.name)
def test_rows_have_the_findings_of_the_report(path):
    """Over samples of many rules: each finding is pinned as often as the report counts it, at its culprits."""
    _, result = analyze(str(path), EVERYTHING)
    reported = {}
    for finding in (finding for session in result.sessions for finding in session.findings):
        key = (finding.rule, finding.severity, finding.violator)
        reported[key] = reported.get(key, 0) + finding.count
    pinned = {}
    for pin in (pin for row in read_whole(str(path), EVERYTHING)[2] for pin in row.findings):
        key = (pin.rule, pin.severity, pin.violator)
        pinned[key] = pinned.get(key, 0) + 1
    assert pinned == reported


def test_what_is_no_capture_is_refused(tmp_path):
    """By name."""
    path = tmp_path / "x.jsonl"
    path.write_text("{}\n")
    with pytest.raises(McpsniffError, match="no mcpsniff capture"):
        read_whole(str(path))
