"""What servers ask of clients and what they are given, in both eras."""

import json

import pytest

from mcpsniff.protocol import inputs
from mcpsniff.protocol.arrival import apply
from mcpsniff.protocol.matching import match
from mcpsniff.protocol.message import CLIENT, SERVER, Message

FORM = {"message": "?", "requestedSchema": {"type": "object", "properties": {}}}


@pytest.fixture
def side(talk):
    """Gives a maker of sessions that also note what is asked and given in each message, as it stood then."""

    def make(**capabilities):
        one = talk()
        one.asked, one.given = [], []

        def feed(sender, message, x=None):
            raw = json.dumps(message).encode()
            seq = len(one.heard) + 1
            told = Message(raw, sender, seq, float(seq), len(raw))
            call = match(one.session, told)
            one.asked += inputs.asked(one.session, told, call)
            one.given += inputs.given(one.session, told, call)
            apply(one.session, told, call)
            one.heard.append(told)
            return told

        one.feed = feed
        one.ask("initialize", "i", protocolVersion="2025-11-25", capabilities=capabilities, clientInfo={})
        one.answer("i", protocolVersion="2025-11-25", capabilities={}, serverInfo={})
        one.note(CLIENT, "notifications/initialized")
        return one

    return make


def request(side, method, params, id="s"):
    """The server's request."""
    return side.feed(SERVER, {"jsonrpc": "2.0", "id": id, "method": method, "params": params})


def give(side, id="s", **members):
    """The client's answer."""
    return side.feed(CLIENT, {"jsonrpc": "2.0", "id": id, **members})


def test_request_of_the_server_asks(side):
    """In the handshake revisions, with the capabilities of initialize."""
    one = side(elicitation={})
    request(one, "elicitation/create", FORM)
    (asked,) = one.asked
    assert (asked.method, asked.mode, asked.seq, asked.direct) == ("elicitation/create", "form", 4, True)
    assert (asked.declares("elicitation"), asked.declares("sampling"), asked.declared_seq) == ([{}], [], 1)
    assert asked.member("requestedSchema", "a/b") == "/params/requestedSchema/a~1b"
    assert "2026-07-28" not in asked.revisions


def test_other_requests_ask_nothing(side):
    """Neither a ping nor a client that sends the server's method does."""
    one = side()
    request(one, "ping", {})
    one.ask("elicitation/create", 1, **FORM)
    assert one.asked == []


def test_answer_gives(side):
    """A result has its value, an error its code; params that are no object count as empty."""
    one = side(roots={})
    request(one, "elicitation/create", FORM, "a")
    give(one, "a", result={"action": "accept", "content": {}})
    request(one, "roots/list", [1], "b")
    give(one, "b", error={"code": -32603, "message": "no"})
    first, second = one.given
    assert (first.value["action"], first.refused, first.member("content")) == ("accept", False, "/result/content")
    assert (second.value, second.refused, second.code, second.request.params) == ({}, True, -32603, {})


def test_two_requests_of_one_id_give_nothing(side):
    """An answer that may be for either says nothing of one."""
    one = side()
    request(one, "roots/list", {})
    request(one, "roots/list", {})
    give(one, result={"roots": []})
    assert one.given == []


def test_task_gives_in_the_end(side):
    """A task in place of the value gives nothing yet; tasks/result does."""
    one = side()
    request(one, "elicitation/create", {**FORM, "task": {"ttl": 1000}})
    task = {"taskId": "t", "status": "working", "createdAt": "2026-11-29T20:00:00Z", "ttl": 1000}
    give(one, result={"task": task})
    request(one, "tasks/result", {"taskId": "t"}, "r")
    give(one, "r", result={"action": "decline"})
    early, late = one.given
    assert (early.task, early.value) == (True, {})
    assert (late.task, late.value, late.request.seq) == (False, {"action": "decline"}, 4)


def test_error_demands_elicitations(side):
    """Each entry of -32042 is a question of the error's record; what is no object has no params."""
    one = side()
    one.ask("tools/call", 1, name="x")
    one.refuse(-32042, 1, elicitations=[{"mode": "url", "url": "https://s.example"}, 5])
    assert [(a.where, a.mode, a.seq) for a in one.asked] == [
        ("/error/data/elicitations/0", "url", 5),
        ("/error/data/elicitations/1", "form", 5),
    ]


def test_entries_ask_and_a_retry_gives(side):
    """In 2026-07-28; entries of other methods, or without params, are left to other rules."""
    one = side()
    one.ask("tools/call", 1, modern=True, name="x")
    entries = {"a": {"method": "elicitation/create", "params": FORM}, "b": {"method": "roots/list"}}
    broken = {"c": {"method": "elicitation/create"}, "d": 5, "e": {"method": "tools/call", "params": {}}}
    one.answer(1, resultType="input_required", inputRequests={**entries, **broken}, requestState="s")
    assert [(a.method, a.direct, a.declared_seq) for a in one.asked] == [
        ("elicitation/create", False, 4),
        ("roots/list", False, 4),
    ]
    assert one.asked[0].where == "/result/inputRequests/a/params"
    assert one.asked[0].revisions == ("2026-07-28",)
    answers = {"a": {"action": "cancel"}, "z": {}}
    one.ask("tools/call", 2, modern=True, name="x", inputResponses=answers, requestState="s")
    (given,) = one.given
    assert (given.value, given.where, given.request.seq) == ({"action": "cancel"}, "/params/inputResponses/a", 5)


def test_task_update_gives(side):
    """What tasks/update answers was asked in the task's state."""
    one = side()
    one.ask("tools/call", 1, modern=True, name="x")
    one.answer(1, resultType="task", taskId="t", status="working")
    one.ask("tasks/get", 2, modern=True, taskId="t")
    questions = {"a": {"method": "elicitation/create", "params": FORM}}
    one.answer(2, True, taskId="t", status="input_required", inputRequests=questions)
    one.ask("tasks/update", 3, modern=True, taskId="t", inputResponses={"a": {"action": "accept"}, "b": {}})
    (given,) = one.given
    assert (given.value, given.request.seq) == ({"action": "accept"}, 7)
