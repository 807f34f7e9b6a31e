"""The pieces of content, wherever messages hold them."""

import pytest

from mcpsniff.protocol import content
from mcpsniff.protocol.inputs import InputRequest, InputResponse

IMAGE = {"type": "image", "data": "AAAA", "mimeType": "image/png"}
EMBEDDED = {"type": "resource", "resource": {"uri": "file:///a", "text": "x"}}


@pytest.fixture
def pieces(talk):
    """Gives kind and place of each piece in a result."""

    def read(method, **result):
        one = talk()
        one.handshake()
        one.ask(method, 1)
        call = one.session.calls.waiting("client", one.heard[-1].id)
        found = content.answered(one.session, one.answer(1, **result), call)
        return [(piece.kind, piece.where) for piece in found]

    return read


@pytest.mark.parametrize(
    ("method", "result", "expected"),
    [
        ("tools/call", {"content": [IMAGE, 5]}, [("block", "/result/content/0")]),
        (
            "tools/call",
            {"content": [EMBEDDED]},
            [("block", "/result/content/0"), ("contents", "/result/content/0/resource")],
        ),
        ("prompts/get", {"messages": [{"content": IMAGE}]}, [("block", "/result/messages/0/content")]),
        ("resources/read", {"contents": [{}, {}]}, [("contents", f"/result/contents/{n}") for n in (0, 1)]),
        ("resources/list", {"resources": [{}]}, [("resource", "/result/resources/0")]),
        ("resources/templates/list", {"resourceTemplates": [{}]}, [("template", "/result/resourceTemplates/0")]),
        ("tools/list", {"tools": [{}]}, []),
        ("tools/call", {"content": {"type": "text"}}, []),
        ("tools/call", {"content": [], "resultType": "input_required"}, []),
        ("prompts/get", {"messages": 5}, []),
    ],
)
def test_pieces_of_a_result(pieces, method, result, expected):
    """Each method holds pieces in places of its own; what has another shape holds none."""
    assert pieces(method, **result) == expected


def test_pieces_of_sampling():
    """One block or a list of them, tool results with blocks of their own; a hostile depth ends somewhere."""
    deep = IMAGE
    for _ in range(50):
        deep = {"type": "tool_result", "content": [deep]}
    asked = InputRequest("sampling/createMessage", {"messages": [{"content": deep}]}, 1, "/params", direct=True)
    found = content.asked(asked)
    assert [piece.where for piece in found[:2]] == [
        "/params/messages/0/content",
        "/params/messages/0/content/content/0",
    ]
    assert len(found) == content.NESTING + 1
    given = content.given(InputResponse(asked, {"content": [IMAGE]}, "/result"))
    assert [(piece.type, piece.where) for piece in given] == [("image", "/result/content/0")]
    form = InputRequest("elicitation/create", {"messages": [{"content": IMAGE}]}, 1, "/params", direct=True)
    assert content.asked(form) == []


def test_type_of_a_block_is_a_string():
    """Anything else is no type."""
    assert content.Piece("block", {"type": []}, "", "tools/call").type is None


def test_outcome_of_a_task_is_a_tool_result(talk):
    """tasks/result gives it in 2025-11-25, tasks/get within the task in 2026-07-28; a new task is none."""
    one = talk()
    one.handshake()
    asked = one.ask("tools/call", 1, name="x", task={"ttl": 1000})
    call = one.session.calls.waiting("client", asked.id)
    made = one.answer(1, task={"taskId": "t", "status": "working", "ttl": 1000})
    assert content.tool_result(one.session, made, call) is None
    fetch = one.ask("tasks/result", 2, taskId="t")
    fetching = one.session.calls.waiting("client", fetch.id)
    outcome = content.tool_result(one.session, one.answer(2, content=[]), fetching)
    assert (outcome.call.seq, outcome.value, outcome.where) == (asked.seq, {"content": []}, "/result")
    poll = one.ask("tasks/get", 3, taskId="t")
    polling = one.session.calls.waiting("client", poll.id)
    outcome = content.tool_result(one.session, one.answer(3, taskId="t", result={"content": []}), polling)
    assert outcome.where == "/result/result"
