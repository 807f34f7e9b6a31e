"""One request and what becomes of it: outcome, progress."""

from decimal import Decimal

import pytest

from mcpsniff.protocol.calls import Outcome, progress_of
from mcpsniff.protocol.ids import JsonId
from mcpsniff.protocol.message import CLIENT, SERVER, Message


@pytest.mark.parametrize(
    ("method", "result", "outcome"),
    [
        ("tools/call", {"content": []}, Outcome.RESULT),
        ("tools/call", {"isError": True}, Outcome.TOOL_ERROR),
        ("tools/call", {"isError": "yes"}, Outcome.RESULT),
        ("tools/list", {"isError": True}, Outcome.RESULT),
        ("tools/call", {"resultType": "input_required"}, Outcome.INPUT_REQUIRED),
    ],
)
def test_outcome_of_a_result(talk, method, result, outcome):
    """A result may be a success, a tool's failure or a question."""
    one = talk()
    one.ask(method, 1)
    one.answer(1, **result)
    assert one.session.calls.answered(CLIENT, JsonId("1")).outcome is outcome


@pytest.mark.parametrize(
    ("written", "value"),
    [("2", "2"), ("0.1", "0.1"), ("1e-1", "0.1"), ("10000000000000000001", "10000000000000000001")]
    + [(other, None) for other in ("true", '"2"', "null", "[2]")],
)
def test_progress_is_a_number_taken_exactly(written, value):
    """No float comes between; what is no number is no progress."""
    raw = b'{"method":"notifications/progress","params":{"progress":%s}}' % written.encode()
    assert progress_of(Message(raw, SERVER, 1, 0.0, len(raw))) == (None if value is None else Decimal(value))
