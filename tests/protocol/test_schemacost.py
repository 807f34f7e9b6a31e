"""The steps of a validation, counted before it runs."""

import pytest

from mcpsniff.protocol.schemacost import Costly, check, resolve


def doubling(levels):
    """Gives a schema whose definitions double `levels` times."""
    definitions = {f"d{i}": {"allOf": [{"$ref": f"#/$defs/d{i + 1}"}] * 2} for i in range(levels)}
    return {"$ref": "#/$defs/d0", "$defs": {**definitions, f"d{levels}": {"type": "integer"}}}


def chain(levels):
    """Gives a value of so many levels."""
    value = {}
    for _ in range(levels):
        value = {"c": value}
    return value


ONCE = {"properties": {"c": {"$ref": "#"}}}
TWICE = {"allOf": [ONCE, ONCE]}


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        (doubling(10), 1),
        (ONCE, chain(30)),
        (TWICE, chain(10)),
        ({"items": {"$ref": "#/$defs/a"}, "$defs": {"a": {"type": "string"}}}, ["x"] * 1_000),
        ({"properties": [], "items": 3, "anyOf": "?", "$ref": 7}, {"a": 1}),
    ],
)
def test_ordinary_work_passes(schema, value):
    """Recursion into the value, some doublings and nonsense in keywords are no reason to stop."""
    check(schema, value, {})


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        (doubling(40), 1),
        (TWICE, chain(60)),
        ({"allOf": [{"$ref": "#"}]}, 1),
        ({"$ref": "#a"}, 1),
        (ONCE, chain(500)),
        ({"unevaluatedProperties": False, "properties": {"c": {"$ref": "#"}}}, chain(60)),
        ({"patternProperties": {str(i): True for i in range(2_000)}}, {str(i): 0 for i in range(2_000)}),
    ],
)
def test_too_much_work_stops(schema, value):
    """Doubling at each level, endless references, depth and sheer size are named before they cost anything."""
    with pytest.raises(Costly):
        check(schema, value, {"a": schema})


@pytest.mark.parametrize(
    ("reference", "meaning"),
    [
        ("#", {"$defs": {"a/b": [{"x": 1}]}}),
        ("#/$defs/a~1b/0/x", 1),
        ("#/$defs/a~1b/7", None),
        ("#/nothing/here", None),
        ("#name", "named"),
        ("#other", None),
    ],
)
def test_references_inside_a_schema(reference, meaning):
    """Pointers and anchors are followed; what is not there is None."""
    assert resolve({"$defs": {"a/b": [{"x": 1}]}}, reference, {"name": "named"}) == meaning
