"""Schemas from the wire: judged by their dialect, never fetched, never run away with, never an exception."""

import pytest

from mcpsniff.protocol.schema import Unjudged
from mcpsniff.protocol.toolschema import judge, network_references


def fits(schema, value):
    """Gives the flaws of a value as text."""
    return [str(flaw) for flaw in judge(schema).flaws(value)]


@pytest.mark.parametrize(
    ("schema", "flaw"),
    [
        ({"type": "object", "properties": {"a": {"type": "int"}}}, "/properties/a/type"),
        ({"required": "a"}, "/required is not of type array"),
        ({"properties": {"a": {"required": True}}}, "/properties/a/required is not of type array"),
        ({"properties": {"a": {"items": [{}]}}}, "/properties/a/items"),
        ({"$ref": 3}, "/$ref is not of type string"),
        ([], "the whole value is neither an object nor a boolean"),
        (None, "the whole value is neither an object nor a boolean"),
    ],
)
def test_invalid_schemas_have_a_flaw(schema, flaw):
    """The meta-schema of the dialect decides, 2020-12 without $schema."""
    assert str(judge(schema).broken[0]).startswith(flaw)


@pytest.mark.parametrize(
    "schema",
    [
        {"$schema": "http://json-schema.org/draft-07/schema#", "items": [{"type": "string"}]},
        {"$schema": "https://json-schema.org/draft/2019-09/schema", "items": [{"type": "string"}]},
        {"$schema": "http://json-schema.org/draft-04/schema", "minimum": 1, "exclusiveMinimum": True},
        {"x-anything": 1, "definitions": {"a": {}}, "dependencies": {"a": ["b"]}},
        True,
    ],
)
def test_valid_schemas_have_none(schema):
    """Each dialect by its own rules; unknown keywords are free."""
    judged = judge(schema)
    assert (judged.broken, judged.unjudged) == ((), None)


def test_a_value_is_judged():
    """Flaws name the place in the value; formats are notes, integers may be written 1.0."""
    schema = {"type": "object", "properties": {"n": {"type": "integer"}, "d": {"format": "date"}}, "required": ["n"]}
    assert fits(schema, {"n": 1.0, "d": "no date"}) == []
    assert fits(schema, {"n": 1.5}) == ["/n is not of type integer"]
    assert fits(schema, {}) == ["/n is missing"]
    assert fits({"$ref": "#n", "$defs": {"q": {"$anchor": "n", "type": "integer"}}}, 1) == []


@pytest.mark.parametrize(
    ("schema", "why"),
    [
        ({"$schema": "https://example.com/mine"}, "dialect"),
        ({"$ref": "http://127.0.0.1:9/other"}, "not looked up"),
        ({"$ref": "file:///etc/passwd"}, "not looked up"),
        ({"$ref": "#/$defs/none"}, "refuses it"),
        ({"pattern": "("}, "refuses it"),
        ({"enum": ["x" * 600_000]}, "larger"),
        ({"maximum": float("inf")}, "cannot be read"),
    ],
)
def test_what_cannot_be_judged_says_why(schema, why):
    """Nothing is fetched; a schema that the validator cannot take is no finding against the server."""
    judged = judge(schema)
    assert judged.broken == ()
    assert why in judged.unjudged
    with pytest.raises(Unjudged):
        judged.flaws({})


def nested(levels):
    """Gives a schema of so many levels."""
    schema = {}
    for _ in range(levels):
        schema = {"not": schema}
    return schema


@pytest.mark.parametrize("levels", [150, 5_000])
def test_deep_schemas_are_left_alone(levels):
    """Recursion in the validator ends the process; depth is measured before."""
    assert judge(nested(levels)).unjudged is not None


def doubling(levels):
    """Gives a schema whose definitions double `levels` times."""
    definitions = {f"d{i}": {"allOf": [{"$ref": f"#/$defs/d{i + 1}"}] * 2} for i in range(levels)}
    return {"$ref": "#/$defs/d0", "$defs": {**definitions, f"d{levels}": {"type": "integer"}}}


def test_exponential_schemas_are_left_alone():
    """Ten doublings are work, forty are an attack."""
    assert fits(doubling(10), 1) == []
    with pytest.raises(Unjudged):
        fits(doubling(40), 1)


def test_recursion_into_the_value_is_fine():
    """A tree type refers to itself for smaller values."""
    tree = {"properties": {"v": {"type": "integer"}, "kids": {"items": {"$ref": "#"}}}}
    assert fits(tree, {"v": 1, "kids": [{"v": 2}, {"v": "x"}]}) == ["/kids/1/v is not of type integer"]


def test_network_references_are_found_where_they_stand():
    """Of both kinds, in lists too; names, references within and a hostile depth are none."""
    schema = {
        "$id": "https://s.example/a",
        "$ref": "HTTPS://s.example/b",
        "allOf": [{"$dynamicRef": "http://s.example/c"}, {"$ref": "#/$defs/d"}, {"$ref": 5}],
    }
    assert list(network_references(schema)) == [
        ("/$ref", "HTTPS://s.example/b"),
        ("/allOf/0/$dynamicRef", "http://s.example/c"),
    ]
    deep = {"$ref": "https://s.example/d"}
    for _ in range(500):
        deep = {"not": deep}
    assert list(network_references(deep)) == []
