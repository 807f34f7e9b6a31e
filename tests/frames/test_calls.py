"""The frame of calls."""

import pytest

from mcpsniff import frames

ASKED = '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"add","arguments":{}}}\n'
GIVEN = '{"jsonrpc":"2.0","id":2,"result":{"content":[]}}\n'


@pytest.fixture
def rows(before):
    """The calls of the capture, by the record of the request."""
    return frames.read(before).calls.set_index("seq")


def test_a_row_a_request(rows):
    """With what became of it."""
    assert rows.outcome.to_dict() == {1: "result", 4: "result", 6: "result", 7: "tool_error", 10: "cancelled"}


def test_a_request_and_its_answer(rows):
    """Answers may overtake one another: record 9 answers 6, three tenths of a second later."""
    one = rows.loc[6]
    assert (one.answer_seq, one.latency.round(6), one["name"]) == (9, 0.3, "add")
    assert (one.request_bytes, one.answer_bytes) == (len(ASKED), len(GIVEN))


def test_what_was_not_answered_has_no_answer(rows):
    """Neither time nor bytes."""
    assert rows.loc[10, ["answer_seq", "latency", "answer_bytes"]].isna().all()


def test_what_nobody_answered_or_gave_up(talk, tmp_path):
    """Is unanswered."""
    talk.client(id=1, method="tools/list")
    (path := tmp_path / "c.jsonl").write_bytes(talk.file().getvalue())
    assert frames.read(str(path)).calls.outcome.tolist() == ["unanswered"]


def test_what_http_refused_is_an_error(web, tmp_path):
    """As in the report."""
    request = {"x": "x1", "conn": "c1", "client": "127.0.0.1:1", "method": "POST", "url": "http://127.0.0.1/mcp"}
    web.add(type="request", **request, headers=[])
    web.say("client", ASKED.strip(), x="x1")
    web.add(type="response", x="x1", status=403, headers=[])
    web.add(type="close", x="x1", by="server")
    (path := tmp_path / "c.jsonl").write_bytes(web.file().getvalue())
    assert frames.read(str(path)).calls.outcome.tolist() == ["error"]
