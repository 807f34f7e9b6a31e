"""One JSON value in a message's place: its kind, its members, its exact texts."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcpsniff.protocol.heads import member_text
from mcpsniff.protocol.jsonvalue import decode
from mcpsniff.protocol.message import CLIENT, SERVER, Kind, Message


def message(raw, sender=SERVER):
    """Gives the message of a JSON text."""
    data = raw.encode() if isinstance(raw, str) else raw
    return Message(data, sender, 1, 0.0, len(data))


@pytest.mark.parametrize(
    ("raw", "kind"),
    [
        ('{"id":1,"method":"m"}', Kind.REQUEST),
        ('{"id":null,"method":"m"}', Kind.REQUEST),
        ('{"method":"m"}', Kind.NOTIFICATION),
        ('{"id":1,"result":{}}', Kind.RESULT),
        ('{"id":1,"result":null}', Kind.RESULT),
        ('{"id":1,"error":{}}', Kind.ERROR),
        ('{"error":null}', Kind.ERROR),
        ('{"id":1,"result":{},"error":null}', Kind.RESULT),
        ('{"id":1,"result":{},"error":{}}', Kind.ERROR),
        ('{"id":1,"method":"m","result":{}}', Kind.RESULT),
        ('{"id":1,"method":7}', Kind.MALFORMED),
        ('{"id":1}', Kind.MALFORMED),
        ("{}", Kind.MALFORMED),
        ("[]", Kind.BATCH),
        (" [1]", Kind.BATCH),
        ("1", Kind.MALFORMED),
        ('"x"', Kind.MALFORMED),
        ("null", Kind.MALFORMED),
        ('{"Method":"m"}', Kind.MALFORMED),  # names are case-sensitive
    ],
)
def test_kind(raw, kind):
    """The members alone say what an object is."""
    assert message(raw).kind is kind


@pytest.mark.parametrize(
    ("raw", "expected"),
    [("{}", True), ('{"level":"info"}', True), ('{"id":1}', False), ('{"jsonrpc":1}', False), ("[]", False)],
)
def test_log_lines(raw, expected):
    """An object with no member of a message is what a logger writes."""
    assert message(raw).is_log_line is expected


@pytest.mark.parametrize("params", ["[]", "null", "7", '"x"'])
def test_params_of_a_wrong_type(params):
    """`params` is an object for whoever reads it; what was sent stays readable."""
    one = message(f'{{"method":"m","params":{params}}}')
    assert one.params == {}
    assert one.meta == {}
    assert one.has_params
    assert one.raw_params == json.loads(params)


@pytest.mark.parametrize(("code", "expected"), [("-32601", -32601), ("true", None), ('"1"', None), ("1.5", None)])
def test_code(code, expected):
    """An error code is an integer or none."""
    assert message(f'{{"id":1,"error":{{"code":{code}}}}}').code == expected


def test_odd_json_is_read():
    """An unpaired surrogate and extreme nesting hide neither id nor method."""
    surrogate = message('{"id":12345678901234567890123,"method":"m","params":{"a":"\\ud800"}}')
    assert (surrogate.kind, str(surrogate.id), surrogate.method) == (Kind.REQUEST, "12345678901234567890123", "m")
    assert surrogate.params == {"a": "\ud800"}
    deep = message('{"id":1,"method":"m","params":{"a":' + "[" * 5000 + "]" * 5000 + "}}")
    assert deep.params == {} or deep.params["a"]


def test_exact_texts():
    """Tokens keep their spelling and their digits."""
    one = message('{"method":"p","params":{"_meta":{"progressToken":1.0},"progressToken":"t","progress":0.10}}')
    assert str(one.token("_meta", "progressToken")) == "1.0"
    assert str(one.token("progressToken")) == '"t"'
    assert one.token("absent") is None
    assert one.token("progressToken", "deeper") is None
    assert str(one.exact["params"]["progress"]) == "0.10"


def test_elements_of_a_batch():
    """Each element is a message with the record of the whole; what is none is malformed."""
    batch = message('[{"id":1,"method":"m"},3,{"method":"n"}]', CLIENT)
    assert [element.kind for element in batch.elements()] == [Kind.REQUEST, Kind.MALFORMED, Kind.NOTIFICATION]
    assert all(element.batch and element.seq == batch.seq for element in batch.elements())


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
MEMBERS = st.dictionaries(st.sampled_from(["jsonrpc", "id", "method", "params", "result", "error", "x"]), JSON)


@given(MEMBERS | st.lists(MEMBERS, max_size=3) | JSON)
def test_any_json_value_can_be_read(value):
    """No JSON value makes a message raise, and everything that it decodes is what was sent."""
    one = message(json.dumps(value))
    shown = (one.kind, one.params, one.result, one.error, one.code, one.meta, one.exact, one.token("a", "b"))
    assert shown[1:4] == (one.params, one.result, one.error)
    assert one.value == value
    if isinstance(value, dict) and "params" in value:
        assert one.raw_params == value["params"]
    assert [element.value for element in one.elements()] == (value if isinstance(value, list) else [])


@given(st.dictionaries(st.text(), JSON, min_size=1, max_size=4), st.data())
def test_member_text(members, data):
    """The text of a member is the one that decodes to its value."""
    name = data.draw(st.sampled_from(sorted(members)))
    text = member_text(json.dumps(members).encode(), (name,))
    assert text is not None
    assert decode(text) == members[name]
