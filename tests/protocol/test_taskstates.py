"""Where messages show the state of a task, and which of two states is the later one."""

import pytest

from mcpsniff.protocol.taskstates import State, digest, seconds, shown


def state(seq, at, stream=None, asked=None, updated=None):
    """A state of which only the order matters."""
    return State("working", seq, at, None, "server", stream, asked, None, updated, b"")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1970-01-01T00:00:01Z", 1.0),
        ("1970-01-01T01:00:00.5+01:00", 0.5),
        ("1970-01-01t00:00:02z", 2.0),
        ("1970-01-01T00:00:03", 3.0),
        ("1970-01-01", None),
        ("19700101T000000Z", None),
        ("1970-13-01T00:00:00Z", None),
        (1764064800, None),
        (None, None),
    ],
)
def test_times_are_dates_with_times(text, expected):
    """ISO 8601 with date and time counts, with any offset; numbers and dates alone do not."""
    assert seconds(text) == expected


def test_fingerprints_ignore_the_order_of_members():
    """Equal objects have one fingerprint; what is nested too deeply has none."""
    deep = []
    for _ in range(100_000):
        deep = [deep]
    assert digest({"a": 1, "b": [2]}) == digest({"b": [2], "a": 1}) != digest({"a": 1, "b": [3]})
    assert digest(deep) == b""


@pytest.mark.parametrize(
    ("later", "follows"),
    [
        (state(9, 0.1, stream="1"), True),  # the same stream
        (state(4, 0.1, stream="1"), False),
        (state(9, 5.0, stream="2", asked=6), True),  # asked for after the other came
        (state(9, 5.0, stream="2", asked=4), False),  # the two polls overlap
        (state(9, 0.9, stream="3"), False),  # a notification within the crossing window
        (state(9, 1.1, stream="3"), True),
    ],
)
def test_only_proven_order_counts(later, follows):
    """One stream proves the order, and so does a request sent after the other state had come."""
    assert later.follows(state(5, 0.0, stream="1")) is follows


@pytest.mark.parametrize(
    ("method", "asked", "result", "expected"),
    [
        ("tools/call", {"task": {}}, {"task": {"taskId": "t"}}, [("t", "/result/task")]),
        ("tools/call", {}, {"task": {"taskId": "t"}}, [("t", "/result/task")]),  # in place of the result
        ("tools/call", {}, {"task": {"taskId": "t"}, "content": []}, []),  # in the result
        ("x/make", {}, {"task": {"taskId": "t"}}, []),  # a method that nothing defines
        ("tools/call", {}, {"resultType": "task", "taskId": "t"}, [("t", "/result")]),
        ("tools/call", {}, {"resultType": "task", "task": {"taskId": "t"}}, [("t", "/result/task")]),
        ("tasks/get", {"taskId": "t"}, {"status": "working"}, [("t", "/result")]),
        ("tasks/list", {}, {"tasks": [1, {"taskId": 2}]}, [(None, "/result/tasks/1")]),
        ("tasks/result", {"taskId": "t"}, {"content": []}, []),
    ],
)
def test_results_show_tasks_in_their_places(talk, method, asked, result, expected):
    """Each form of a task object is found, with the id that it or its request names."""
    one = talk()
    one.ask(method, 1, **asked)
    call = one.session.calls.waiting("client", one.heard[-1].id)
    answer = one.answer(1, **result)
    assert [(found.id, found.where) for found in shown(answer, call)] == expected
