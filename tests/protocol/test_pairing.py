"""Requests and their answers: matching, reuse of ids, refusal, caps."""

import pytest

from mcpsniff.protocol import pairing as module
from mcpsniff.protocol.arrival import apply, exchange_closed
from mcpsniff.protocol.bounded import Drops
from mcpsniff.protocol.calls import Outcome
from mcpsniff.protocol.ids import JsonId
from mcpsniff.protocol.matching import match
from mcpsniff.protocol.message import CLIENT, SERVER, Message
from mcpsniff.protocol.pairing import Calls

SESSION = ("Mcp-Session-Id", "s")


def call_of(talk, number):
    """Gives the call that the record was matched to before it was taken in."""
    return talk.session.calls.answered(CLIENT, JsonId(str(number)))


def test_answers_go_to_their_requests(talk):
    """Answers find their requests in any order; times and records are kept."""
    one = talk()
    one.ask("a", 1)
    one.ask("b", 2)
    one.refuse(-1, 2)
    one.answer(1)
    first, second = call_of(one, 1), call_of(one, 2)
    assert (first.method, first.answer_seq, first.started, first.ended) == ("a", 4, 0.0, 3.0)
    assert (second.method, second.answer_seq, second.outcome) == ("b", 3, Outcome.ERROR)
    assert one.session.calls.newest_answered(CLIENT) is second
    assert one.session.calls.all_open() == []


def test_each_side_has_its_own_ids(talk):
    """The same id from both sides is two requests; each answer goes to the other side's."""
    one = talk()
    one.ask("tools/list", 1)
    one.feed(SERVER, {"id": 1, "method": "ping"})
    one.feed(CLIENT, {"id": 1, "result": {}})
    assert [call.requester for call in one.session.calls.all_open()] == [CLIENT]


@pytest.mark.parametrize(
    ("sent", "answered", "found"),
    [("7", '"7"', True), ('"7"', "7", True), ("7", "7.0", True), ("7", "8", False), ('"07"', "7", False)],
)
def test_answer_with_another_type(talk, sent, answered, found):
    """An answer whose id differs in type alone is the request's, if nobody else fits."""
    one = talk()
    one.feed(CLIENT, b'{"id":%s,"method":"ping"}' % sent.encode())
    one.feed(SERVER, b'{"id":%s,"result":{}}' % answered.encode())
    assert (one.session.calls.all_open() == []) is found


def test_exact_twin_first(talk):
    """Where 7 and "7" both wait, each answer has its own."""
    one = talk()
    one.ask("a", 7)
    one.ask("b", "7")
    one.answer("7")
    assert [call.method for call in one.session.calls.all_open()] == ["a"]


def test_same_id_twice_is_answered_in_order(talk):
    """Two requests with one id: the first answer is the first request's."""
    one = talk()
    one.ask("a", 1)
    one.ask("b", 1)
    one.answer(1)
    assert [call.method for call in one.session.calls.all_open()] == ["b"]


def test_over_http_the_exchange_decides(talk):
    """An answer without a readable id belongs to the request of the exchange that carries it."""
    one = talk("http")
    one.post("1")
    one.post("2")
    one.ask("a", 1, x="1")
    one.ask("b", 2, x="2")
    one.refuse(-32600, None, x="2")
    assert [call.method for call in one.session.calls.all_open()] == ["a"]


@pytest.mark.parametrize(
    ("headers", "conn", "known"),
    [([], "c1", True), ([], "c2", False), ([SESSION], "c2", True), ([("Authorization", "Bearer x")], "c2", True)],
)
def test_reuse_needs_the_same_client(talk, headers, conn, known):
    """A used id counts where connection, session id or credentials say that the client is the same."""
    one = talk("http")
    one.post("1").conn = "c1"
    one.ask("tools/list", 1, x="1")
    second = one.post("2", *headers)
    second.conn = conn
    request = Message(b'{"id":1,"method":"tools/list"}', CLIENT, 9, 9.0, 1)
    request.exchange = second
    call = one.session.calls.new(request)
    assert (call.first_use is not None, call.same_open is not None) == (known, known)


@pytest.mark.parametrize(
    ("status", "free"), [(401, True), (404, True), (307, True), (503, True), (200, False), (400, False)]
)
def test_refused_ids_are_free(talk, status, free):
    """What the transport refused was never processed: it waits for nothing, and its id may be sent again."""
    one = talk("http")
    exchange = one.post("1")
    one.ask("tools/list", 1, x="1")
    exchange.status, exchange.closed_by, exchange.closed_seq = status, "server", 5
    exchange_closed(one.session, exchange)
    assert (one.session.calls.used(CLIENT, JsonId("1")) is None) is free
    assert (one.session.calls.all_open() == []) is (status != 200)


def test_refused_batch(talk):
    """An error that names no request refuses the batch that came last, not the request beside it."""
    one = talk()
    one.ask("alone", 1)
    batch = Message(b'[{"id":2,"method":"a"},{"id":3,"method":"b"}]', CLIENT, 2, 2.0, 1)
    for element in batch.elements():
        apply(one.session, element, match(one.session, element))
    one.refuse(-32600, None)
    assert [call.method for call in one.session.calls.all_open()] == ["alone"]


def test_a_new_initialize_without_a_session_id_starts_anew(talk):
    """On a server that gives out no session ids a second handshake may count from the beginning."""
    one = talk("http")
    one.post("1")
    one.ask("initialize", 0, x="1")
    one.answer(0, x="1", protocolVersion="2025-06-18")
    one.ask("tools/list", 1, x="1")
    one.ask("initialize", 0, x="1")
    assert one.session.calls.used(CLIENT, JsonId("1")) is None


@pytest.mark.parametrize(
    ("method", "reserved"), [("tools/call", True), ("subscriptions/listen", False)], ids=["call", "listen"]
)
def test_cancelled_ids_stay_reserved(talk, method, reserved):
    """On stdio a cancelled request may still be answered; a cancelled subscription is over."""
    one = talk()
    one.ask(method, 1, modern=True)
    one.note(CLIENT, "notifications/cancelled", requestId=1)
    again = one.session.calls.new(Message(b'{"id":1,"method":"x"}', CLIENT, 9, 9.0, 1))
    assert (again.same_open is not None) is reserved


def test_stores_forget_the_oldest_and_say_so(monkeypatch):
    """Every store keeps to its cap, and the drop is counted."""
    monkeypatch.setattr(module, "USED_CAP", 3)
    monkeypatch.setattr(module, "OPEN_CAP", 2)
    drops = Drops()
    store = Calls(drops)
    for number in range(5):
        store.open(store.new(Message(b'{"id":%d,"method":"m"}' % number, CLIENT, number, 0.0, 1)))
    assert (drops["request ids"], drops["open calls"]) == (2, 3)
    assert store.forgot
    assert [call.seq for call in store.all_open()] == [3, 4]
    assert store.used(CLIENT, JsonId("0")) is None


def holder(one, id, token, x=None):
    """Gives the id of the request that holds the token of a new request, told before that is taken in."""
    request = one.ask("tools/call", id, x=x, _meta={"progressToken": token})
    call = one.session.calls.waiting(CLIENT, request.id)
    held = one.session.calls.token_holder(request, call.token)
    return None if held is None or held is call else held.id.text


def test_token_is_held_until_its_request_is_done(talk):
    """By value and type; an answer or a cancellation sets it free."""
    one = talk()
    assert holder(one, 1, 7) is None
    assert holder(one, 2, "7") is None
    assert holder(one, 3, 7) == "1"
    one.answer(1)
    one.note(CLIENT, "notifications/cancelled", requestId=3)
    assert holder(one, 4, 7) is None


def test_token_of_another_client_is_not_held(talk):
    """Over HTTP two connections without a session id may be two clients."""
    one = talk("http")
    for x, conn in (("a", "c1"), ("b", "c2"), ("c", "c1")):
        one.post(x).conn = conn
    assert holder(one, 1, 7, "a") is None
    assert holder(one, 2, 7, "b") is None
    assert holder(one, 3, 7, "c") == "1"
