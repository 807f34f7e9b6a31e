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
