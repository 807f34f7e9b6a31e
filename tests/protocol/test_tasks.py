"""Which call made which task."""

import pytest


@pytest.mark.parametrize(
    "result",
    [
        {"task": {"taskId": "t1", "status": "working"}},
        {"resultType": "task", "taskId": "t1", "status": "working"},
    ],
)
def test_a_task_knows_its_call(talk, result):
    """Both forms of announcing a task are understood."""
    one = talk()
    made = one.ask("tools/call", 1, name="slow")
    one.answer(1, **result)
    one.ask("tasks/get", 2, taskId="t1")
    asking = one.session.calls.waiting("client", one.heard[-1].id)
    assert one.session.tasks.creator(asking).request is made


@pytest.mark.parametrize("task", [None, "t1", {"taskId": 1}, {}])
def test_other_results_announce_none(talk, task):
    """A member named task is no task without an id."""
    one = talk()
    one.ask("tools/call", 1)
    one.answer(1, task=task)
    one.ask("tasks/get", 2, taskId="t1")
    assert one.session.tasks.creator(one.session.calls.waiting("client", one.heard[-1].id)) is None


def test_a_question_of_a_task_is_judged_by_both_requests(talk):
    """The capabilities of the creating call and of the asking one count; with one unknown, nothing is known."""
    one = talk()
    one.ask("tools/call", 1, modern=True)
    one.answer(1, resultType="task", taskId="t1")
    one.ask("tasks/get", 2, modern=True, taskId="t1")
    assert one.session.declared_for(one.session.calls.waiting("client", one.heard[-1].id)) == [{}, {}]
    one.ask("tasks/get", 3, modern=True, taskId="t2")
    assert one.session.declared_for(one.session.calls.waiting("client", one.heard[-1].id)) is None
    one.ask("tools/list", 4)
    assert one.session.declared_for(one.session.calls.waiting("client", one.heard[-1].id)) is None


def made(talk, **task):
    """A session in which the client's call 1 made the task t1."""
    one = talk()
    one.ask("tools/call", 1, task={})
    one.answer(1, task={"taskId": "t1", "status": "working", **task})
    return one, one.session.tasks.of("client", "t1")


def got(one, id, **state):
    """The client asks for t1 and is shown a state."""
    one.ask("tasks/get", id, taskId="t1")
    return one.answer(id, taskId="t1", **state)


def test_the_first_end_of_a_task_is_kept(talk):
    """What comes after a terminal status does not replace it."""
    one, task = made(talk)
    end = got(one, 2, status="completed")
    got(one, 3, status="failed")
    assert (task.ended.status, task.ended.seq) == ("completed", end.seq)
    assert task.last.status == "failed"


def test_both_sides_may_use_one_id(talk):
    """A task belongs to who asked for it."""
    one, task = made(talk)
    assert one.session.tasks.of("server", "t1") is None
    one.note("client", "notifications/tasks/status", taskId="t1", status="working")
    assert one.session.tasks.of("server", "t1") is not task


@pytest.mark.parametrize(
    ("ttl", "at", "over"), [(3000, 3.5, False), (3000, 4.5, True), (None, 1e9, False), (10**400, 1e9, False)]
)
def test_a_time_to_live_counts_from_the_making(talk, ttl, at, over):
    """Milliseconds after the record that announced the task, at second 1; null has no end."""
    _, task = made(talk, ttl=ttl)
    assert task.expired(at) is over


@pytest.mark.parametrize("member", ["pollInterval", "pollIntervalMs"])
def test_an_interval_is_kept_until_another_is_given(talk, member):
    """Both eras' names are understood; the latest value counts, in seconds."""
    one, task = made(talk, **{member: 500})
    got(one, 2, status="working")
    assert task.interval == 0.5
    got(one, 3, status="working", **{member: 250})
    assert task.interval == 0.25


def test_notifications_and_delivered_input_free_the_next_poll(talk):
    """After an answer to a poll the interval counts, unless something happened in between."""
    one, task = made(talk)
    assert not task.free
    one.note("server", "notifications/tasks/status", taskId="t1", status="input_required")
    assert task.free
    got(one, 2, status="input_required")
    assert not task.free
    tag = {"io.modelcontextprotocol/related-task": {"taskId": "t1"}}
    asked = {"jsonrpc": "2.0", "id": 9, "method": "roots/list", "params": {"_meta": tag}}
    one.feed("server", asked)
    assert [call.method for call in task.asked] == ["roots/list"]
    assert not task.free
    one.feed("client", {"jsonrpc": "2.0", "id": 9, "result": {"roots": []}})
    assert task.free


def test_waiting_for_input_has_a_beginning_and_an_end(talk):
    """Each time that a task waits is kept; one that goes on has no end."""
    one, task = made(talk)
    first = got(one, 2, status="input_required")
    got(one, 3, status="input_required")
    over = got(one, 4, status="working")
    again = got(one, 5, status="input_required")
    assert [(begin.seq, end and end.seq) for begin, end in task.episodes] == [(first.seq, over.seq), (again.seq, None)]


def test_questions_know_their_answers(talk):
    """A question is left behind when the task moves on after the acknowledgement, and not before."""
    one, task = made(talk)
    shown = got(one, 2, status="input_required", inputRequests={"k": {"method": "roots/list"}})
    update = one.ask("tasks/update", 3, taskId="t1", inputResponses={"k": {"roots": []}, "other": {}})
    question = task.questions["k"]
    assert (question.seq, question.answered, question.acked) == (shown.seq, update.seq, None)
    ack = one.answer(3)
    got(one, 4, status="input_required", inputRequests={"k": {"method": "roots/list"}})
    assert (question.acked, question.left) == (ack.seq, False)
    got(one, 5, status="working")
    assert question.left


def test_the_first_outcome_is_kept(talk):
    """Of two answers to tasks/result the first counts; `_meta` is no part of it."""
    one, task = made(talk)
    for id, meta in ((2, {}), (3, {"n": 1})):
        one.ask("tasks/result", id, taskId="t1")
        one.answer(id, content=[], _meta=meta)
    assert task.outcome.seq == 4
    before = task.outcome_digest
    other, twin = made(talk)
    other.ask("tasks/result", 2, taskId="t1")
    other.answer(2, content=[], _meta={"n": 2})
    assert twin.outcome_digest == before != b""


def test_a_server_remembers_its_tasks_in_all_sessions(talk):
    """What one session was told another can look up."""
    one, _ = made(talk)
    other = talk(server=one.session.server)
    assert other.session.tasks.announced("t1").seq == 2
    assert other.session.tasks.of("client", "t1") is None
    assert other.session.tasks.announced("t2") is None


def test_tasks_beyond_the_cap_are_forgotten_aloud(talk, monkeypatch):
    """The oldest task goes, and the session says that it forgot."""
    monkeypatch.setattr("mcpsniff.protocol.tasks.CAP", 1)
    one, _ = made(talk)
    assert not one.session.tasks.forgot
    one.note("server", "notifications/tasks/status", taskId="t2", status="working")
    assert one.session.tasks.forgot
    assert one.session.tasks.of("client", "t1") is None
