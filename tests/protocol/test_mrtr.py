"""Which retry answers which question."""

import pytest

from mcpsniff.protocol.mrtr import input_requests

ASK = {"method": "roots/list"}


@pytest.fixture
def retry(talk):
    """Gives a session in which questions are asked, and the maker of the retry that follows them."""
    one = talk()

    def question(id, arguments, keys=(), **result):
        one.ask("tools/call", id, modern=True, name="t", arguments=arguments)
        requests = {"inputRequests": dict.fromkeys(keys, ASK)} if keys else {}
        return one.answer(id, resultType="input_required", **requests, **result).seq

    def meant(arguments, **params):
        request = one.ask("tools/call", 99 + len(one.heard), modern=True, name="t", arguments=arguments, **params)
        leg = one.session.calls.waiting("client", request.id).leg
        return None if leg is None else leg.seq

    question.meant = meant
    return question


def test_state_and_key_decide_before_all(retry):
    """Of two equal calls the one whose state comes back is meant."""
    first = retry(1, {}, keys="a", requestState="s1")
    retry(2, {}, keys="a", requestState="s2")
    assert retry.meant({}, requestState="s1", inputResponses={"a": {}}) == first


def test_keys_outweigh_the_state_of_another_round(retry):
    """Answers to the second round with the state of the first are for the second round."""
    retry(1, {}, keys="a", requestState="s1")
    second = retry(2, {}, keys="b", requestState="s2")
    assert retry.meant({}, requestState="s1", inputResponses={"b": {}}) == second


def test_a_state_alone_is_enough(retry):
    """A retry without answers is known by its state."""
    first = retry(1, {}, keys="a", requestState="s1")
    retry(2, {}, keys="a")
    assert retry.meant({}, requestState="s1") == first


def test_arguments_tell_equal_keys_apart(retry):
    """Without states the call with the same arguments is meant."""
    first = retry(1, {"x": 1}, keys="a")
    retry(2, {"x": 2}, keys="a")
    assert retry.meant({"x": 1}, inputResponses={"a": {}}) == first


def test_a_call_without_both_is_fresh(retry):
    """Starting over is no retry."""
    retry(1, {}, keys="a", requestState="s1")
    assert retry.meant({}) is None


def test_an_answered_question_comes_last(retry):
    """A question that was retried gives way to one that waits."""
    retry(1, {}, keys="a")
    assert retry.meant({}, inputResponses={"a": {}}) is not None
    second = retry(2, {}, keys="a")
    assert retry.meant({}, inputResponses={"a": {}}) == second


@pytest.mark.parametrize(
    ("result", "keys"),
    [
        ({"resultType": "input_required", "inputRequests": {"a": ASK}}, ["a"]),
        ({"resultType": "complete", "status": "input_required", "inputRequests": {"b": ASK}}, ["b"]),
        ({"resultType": "complete", "inputRequests": {"a": ASK}}, []),
        ({"resultType": "input_required", "inputRequests": [ASK]}, []),
        ({"resultType": "input_required"}, []),
    ],
)
def test_input_requests_of_a_result(talk, result, keys):
    """A question stands in an input_required result and in a task that waits for input, nowhere else."""
    one = talk()
    one.ask("tools/call", 1, modern=True)
    assert list(input_requests(one.answer(1, **result))) == keys


def test_arguments_decide_between_legs_of_one_state(retry):
    """Where two calls were given the same state, the retry is meant for the one with its arguments."""
    first = retry(1, {"x": 1}, keys="a", requestState="s")
    second = retry(2, {"x": 2}, keys="a", requestState="s")
    assert retry.meant({"x": 1}, requestState="s", inputResponses={"a": {}}) == first
    assert retry.meant({"x": 2}, requestState="s", inputResponses={"a": {}}) == second


def test_states_are_known_by_their_call(talk):
    """The issuer of a state is found whatever it was for; known is what was issued for method and target."""
    one = talk()
    asked = one.ask("tools/call", 1, modern=True, name="t")
    call = one.session.calls.waiting("client", asked.id)
    one.answer(1, resultType="input_required", requestState="s")
    other = one.ask("tools/call", 2, modern=True, name="u")
    legs = one.session.legs
    assert legs.issuer("s").call is call
    assert legs.issuer("t") is None
    assert legs.knows(call, "s")
    assert not legs.knows(one.session.calls.waiting("client", other.id), "s")


def test_unanswered_keys_are_told(talk):
    """In order; none where the answers are no object."""
    one = talk()
    one.ask("tools/call", 1, modern=True, name="t")
    one.answer(1, resultType="input_required", inputRequests={"b": ASK, "a": ASK}, requestState="s")
    retry = one.ask("tools/call", 2, modern=True, name="t", requestState="s", inputResponses={"b": {}})
    leg = one.session.calls.waiting("client", retry.id).leg
    assert leg.unanswered(retry) == ["a"]
    odd = one.ask("tools/call", 3, modern=True, name="t", requestState="s", inputResponses=7)
    assert leg.unanswered(odd) == []


def test_chain_remembers_what_was_asked(talk):
    """The second leg holds the keys of both rounds."""
    one = talk()
    one.ask("tools/call", 1, modern=True, name="t")
    one.answer(1, resultType="input_required", inputRequests={"a": ASK}, requestState="s1")
    one.ask("tools/call", 2, modern=True, name="t", requestState="s1", inputResponses={"a": {}})
    one.answer(2, resultType="input_required", inputRequests={"b": ASK}, requestState="s2")
    assert one.session.legs.issuer("s2").asked == {"a", "b"}
