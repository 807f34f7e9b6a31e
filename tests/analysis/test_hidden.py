"""Records with redacted parts, and what is still judged beside them."""

import pytest

from mcpsniff.analysis.hidden import Hidden
from mcpsniff.capture import records as rec
from mcpsniff.protocol.bounded import Drops

MARK = "‹redacted:0123abcd:4›"


def hidden(*redacted):
    return Hidden(rec.Capture(redacted=list(redacted)), Drops())


def message(text):
    return rec.Message(seq=1, t=0.0, sender="client", size=1, source=text.encode(), cut=True)


def request(name, value):
    return rec.Request(seq=1, t=0.0, x="x1", method="POST", url="http://localhost", headers=[(name, value)])


@pytest.mark.parametrize(
    ("record", "hides"),
    [
        (message(f'{{"params":{{"pin":"{MARK}"}}}}'), True),
        (message('{"params":{"pin":"\\u2039redacted:0123abcd:4\\u203a"}}'), True),
        (message('{"params":{"pin":"1234"}}'), False),
        (request("Mcp-Param-Pin", MARK), True),
        (request("mcp-name", MARK), True),
        (request("Authorization", f"Bearer {MARK}"), False),  # hidden by default, and no part of a message
        (rec.Eof(seq=1, t=0.0, stream="stdin"), False),
    ],
)
def test_what_hides_something(record, hides):
    """Messages, and the headers that repeat a part of one."""
    one = hidden("authorization", "/params/pin")
    one.note(record)
    assert (1 in one) is hides
    assert one.all is False


def test_captures_without_pointers_are_not_looked_at():
    """A message that only speaks of such marks is a message like others."""
    one = hidden("authorization", "*-token")
    one.note(message(f'"{MARK}"'))
    assert 1 not in one


@pytest.mark.parametrize("pointer", ["/params", "/method", "/params/_meta", "/result/supportedVersions/0"])
def test_nothing_is_left_to_judge_by(pointer):
    """Where whole parts are hidden that each message needs, or what a server is."""
    assert hidden(pointer).all


INPUT = {"type": "object", "properties": {"pin": {"type": "string"}}}


def ask(talk, pin):
    """A call whose arguments break the shape of requests, among others that are right."""
    talk.handshake()
    talk.client(id=1, method="tools/list")
    talk.server(id=1, result={"tools": [{"name": "t", "inputSchema": INPUT}]})
    talk.client(id=2, method="tools/call", params={"name": "t", "arguments": pin})
    talk.server(id=2, result={"content": []})
    talk.server(id=99, result={})


def judged(report, talk, **header):
    (session,) = report(talk.file(**header), rules=True).sessions
    return {f["rule"] for f in session["findings"]}, {u["rule"]: (u["why"], u["count"]) for u in session["unchecked"]}


def test_a_redacted_value_is_not_judged(talk, report):
    """Its shape is not what was sent: that is told, and all else is judged as ever."""
    ask(talk, MARK)
    found, unchecked = judged(report, talk, redacted=["/params/arguments"])
    assert unchecked == {"request-params-invalid": ("a value that it judges is redacted", 1)}
    assert found == {"response-unknown-id"}


def test_the_same_without_redaction(talk, report):
    """A client that really sends such a thing is told."""
    ask(talk, MARK)
    found, unchecked = judged(report, talk)
    assert (found, unchecked) == ({"request-params-invalid", "response-unknown-id"}, {})


def test_where_everything_is_hidden_nothing_is_judged(talk, report):
    """The report says so, rule by rule."""
    ask(talk, MARK)
    found, unchecked = judged(report, talk, redacted=["/params"])
    assert found == set()
    assert {"request-params-invalid", "response-unknown-id"} <= unchecked.keys()


@pytest.mark.parametrize(
    ("pointer", "expected"),
    [
        ("/params/cursor", True),
        ("/params", True),
        ("/params/cursor/0", True),
        ("/params/*", True),
        ("/*/cursor/mode", True),
        ("/result/cursor", False),
        ("/params/*/cursor", True),
        ("/*/mode", False),
        ("/params/cursors", False),
        ("/params/cursor/", True),
        ("/params/", False),
    ],
)
def test_what_a_pointer_covers(pointer, expected):
    """What is redacted, what holds it or lies in it; `*` is any name, and before a last `/` the whole alone counts."""
    assert hidden("authorization", "/params/cursor").covers(pointer) is expected


def walk(talk, issued, sent):
    """Two pages of a list."""
    talk.handshake()
    talk.client(id=1, method="tools/list")
    talk.server(id=1, result={"tools": [], "nextCursor": issued})
    talk.client(id=2, method="tools/list", params={"cursor": sent})
    talk.server(id=2, result={"tools": []})


@pytest.mark.parametrize(
    ("redacted", "issued", "sent"), [("/result/nextCursor", MARK, "p2"), ("/params/cursor", "p2", MARK)]
)
def test_a_value_that_is_redacted_on_one_side_is_not_compared(talk, report, redacted, issued, sent):
    """Whether the cursor came back as it was given out is not known."""
    walk(talk, issued, sent)
    found, unchecked = judged(report, talk, redacted=[redacted])
    assert found == set()
    assert unchecked["cursor-not-issued"] == ("a value that it judges is redacted", 1)


def test_a_value_that_is_open_on_both_sides_is_compared(talk, report):
    """What else is redacted does not matter."""
    walk(talk, "p2", "p3")
    found, _ = judged(report, talk, redacted=["/params/arguments"])
    assert "cursor-not-issued" in found


def test_what_a_finding_points_at_is_redacted(talk, report):
    """A name of letters that no tool may have, and a redacted one, which has them too."""
    talk.handshake()
    talk.client(id=1, method="tools/list")
    talk.server(id=1, result={"tools": [{"name": MARK, "inputSchema": INPUT}]})
    assert "tool-name-invalid" in judged(report, talk)[0]
    found, unchecked = judged(report, talk, redacted=["/result/tools/0/name"])
    assert "tool-name-invalid" not in found
    assert unchecked["tool-name-invalid"] == ("a value that it judges is redacted", 1)


def test_what_a_rule_does_not_judge_does_not_silence_it(talk, report):
    """A wrong name is told beside a redacted argument; not where that is redacted by which the shape is known."""
    talk.handshake()
    talk.client(id=1, method="tools/list")
    talk.server(id=1, result={"tools": [{"name": "t", "inputSchema": INPUT}]})
    talk.client(id=2, method="tools/call", params={"name": 7, "arguments": {"pin": MARK}})
    talk.server(id=2, result={"content": []})
    found, _ = judged(report, talk, redacted=["/params/arguments/pin"])
    assert "request-params-invalid" in found
    found, unchecked = judged(report, talk, redacted=["/params/task"])
    assert "request-params-invalid" not in found
    assert "request-params-invalid" in unchecked
