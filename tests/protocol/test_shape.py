"""What a message shows without its values."""

import json

import pytest

from mcpsniff.protocol.arrival import apply
from mcpsniff.protocol.lifecycle import Phase
from mcpsniff.protocol.matching import match
from mcpsniff.protocol.message import CLIENT, SERVER, Kind, Message
from mcpsniff.protocol.servers import ServerFacts
from mcpsniff.protocol.session import Session
from mcpsniff.protocol.shape import CALLED, INNER_META, LARGEST, LONG, TOKEN, UNFINISHED, Shape, shape_of


def shape(sender: str, message: object, session: Session | None = None) -> Shape | None:
    """Gives the shape of one message, told to a session that is new unless it is given."""
    session = session or Session("s1", "stdio", ServerFacts())
    raw = message if isinstance(message, bytes) else json.dumps(message).encode()
    one = Message(raw, sender, 1, 0.0, len(raw))
    call = match(session, one)
    found = shape_of(one, call, session)
    apply(session, one, call)
    return None if found is None else Shape(*found)


def ask(**fields: object) -> dict[str, object]:
    """A request."""
    return {"jsonrpc": "2.0", "id": 1, "method": "tools/call", **fields}


def test_request() -> None:
    """Method, names of members and of `_meta`, and that it asks for progress."""
    params = {"name": "a", "_meta": {"progressToken": 1}}
    expected = Shape(
        Kind.REQUEST, CLIENT, "tools/call", None, Phase.FRESH, CALLED | TOKEN, ("name", "_meta"), ("progressToken",)
    )
    assert shape(CLIENT, ask(params=params)) == expected


def test_answer_has_the_method_of_its_request() -> None:
    """An answer is told apart by what it answers, and by whether it is complete."""
    session = Session("s1", "stdio", ServerFacts())
    shape(CLIENT, ask(), session)
    found = shape(SERVER, {"jsonrpc": "2.0", "id": 1, "result": {"resultType": "input_required"}}, session)
    assert found is not None
    assert (found.kind, found.method, found.signs) == (Kind.RESULT, "tools/call", CALLED | UNFINISHED)


@pytest.mark.parametrize(
    "message",
    [
        ask(jsonrpc="1.0"),
        ask(params=[]),
        ask(id=None),
        ask(result={}),
        {"jsonrpc": "2.0", "id": 1, "result": {}, "error": {}},
        {"jsonrpc": "2.0", "id": 1, "result": 5},
        {"jsonrpc": "2.0", "result": {}},
        [],
        {},
        ask(params={str(n): n for n in range(LARGEST + 1)}),
    ],
)
def test_what_is_not_plain_has_no_shape(message: object) -> None:
    """No shape has what is no proper message of JSON-RPC 2.0, or is too large to be told by its members."""
    assert shape(CLIENT, message) is None


@pytest.mark.parametrize("number", [b"1e5", b"-7.5e3", b"12345678901234567"])
def test_long_number(number: bytes) -> None:
    """An id that is no short run of digits is marked: it may lie beyond what doubles hold."""
    found = shape(CLIENT, b'{"jsonrpc":"2.0","id":%s,"method":"ping"}' % number)
    assert found is None or found.signs & LONG


def test_inner_meta() -> None:
    """A `_meta` beside the outer one is seen."""
    found = shape(CLIENT, ask(params={"_meta": {}, "arguments": {"_meta": {}}}))
    assert found is not None
    assert found.signs & INNER_META
