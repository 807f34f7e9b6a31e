"""A JSON Pointer finds its value in a text, and nothing else."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcpsniff.wire.pointer import overlap, spans, tokens


def found(text, pointer):
    return [text[start:end] for start, end in spans(text, tokens(pointer))]


@pytest.mark.parametrize(
    ("text", "pointer", "values"),
    [
        ('{"a": {"b" : [1, {"c": "x"}]}}', "/a/b/1/c", ['"x"']),
        ('{"a":1,"b":{"a":2}, "a" :3}', "/a", ["1", "3"]),
        ('{"a/b":{"~":true}}', "/a~1b/~0", ["true"]),
        ('{"\\u0061":[]}', "/a", ["[]"]),
        ('[{"a":1},{"b":2},{"a":{"a":4}}]', "/a", ["1", '{"a":4}']),
        ('{"":0}', "/", ["0"]),
        ('{"a":1}', "/a/b", []),
        ('"a"', "/a", []),
        ('{"x":1e999,"a":12345678901234567890123}', "/a", ["12345678901234567890123"]),
        ('{"a":"cut', "/a", ['"cut']),
        ('{"b":nope,"a":1}', "/a", []),
        ("", "/a", []),
    ],
)
def test_values(text, pointer, values):
    """Each value as it stands, of doubled keys and batches all; what is cut reaches to the end."""
    assert found(text, pointer) == values


@pytest.mark.parametrize("pointer", ["", "a", "params/x", "/a~2", "/~"])
def test_no_pointer(pointer):
    """One sentence says how one is written."""
    with pytest.raises(ValueError, match="is no JSON Pointer"):
        tokens(pointer)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=4),
)


@given(JSON, st.text(max_size=3), st.sampled_from([None, 1]))
def test_any_value_is_found_by_its_key(value, key, indent):
    """In whatever spelling: the span is the value."""
    text = json.dumps({"before": [1], key: value, "after": "x"}, indent=indent)
    pointer = "/" + key.replace("~", "~0").replace("/", "~1")
    assert json.loads(found(text, pointer)[0]) == json.loads(text)[key]


@given(st.text(alphabet='{}[]",:a1 \\', max_size=30), st.sampled_from(["/a", "/a/1", "/1/a"]))
def test_any_text_is_taken(text, pointer):
    """Spans lie within the text, in order."""
    places = [place for span in spans(text, tokens(pointer)) for place in span]
    assert places == sorted(places)
    assert all(0 <= place <= len(text) for place in places)


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("/params/name", "/params/name", True),
        ("/params", "/params/name", True),
        ("/params/name/first", "/params/name", True),
        ("/params/name", "/params/names", False),
        ("/params/name", "/result/name", False),
    ],
)
def test_what_overlaps(one, other, expected):
    """One value, or a part of it; names that only begin alike are others. The order does not matter."""
    assert (overlap(one, other), overlap(other, one)) == (expected, expected)
