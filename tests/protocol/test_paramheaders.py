"""`x-mcp-header` annotations: where they may stand, and what makes one invalid."""

import pytest

from mcpsniff.protocol.paramheaders import annotated, argument

STRING = {"type": "string", "x-mcp-header": "Region"}


def test_a_chain_of_properties_leads_to_the_argument():
    """Annotations below properties are valid, whatever their depth."""
    found = annotated({"properties": {"a": {"type": "object", "properties": {"b": STRING}}}})
    assert [(one.header, one.path, one.where) for one in found.valid] == [
        ("Mcp-Param-Region", ("a", "b"), "/properties/a/properties/b")
    ]
    assert found.faulty == []


@pytest.mark.parametrize(
    ("schema", "why"),
    [
        ({**STRING, "x-mcp-header": 7}, "is no string"),
        ({**STRING, "x-mcp-header": ""}, "is empty"),
        ({**STRING, "x-mcp-header": "no token"}, "is no token of RFC 9110"),
        ({**STRING, "type": "number"}, "stands on type 'number', not on string, integer or boolean"),
        (
            {**STRING, "type": ["string", "null"]},
            "stands on type ['string', 'null'], not on string, integer or boolean",
        ),
        ({"x-mcp-header": "Region"}, "stands on type None, not on string, integer or boolean"),
        ({**STRING, "type": "integer", "minimum": -(2**53)}, "stands on an integer whose bounds are beyond 2^53 - 1"),
    ],
)
def test_an_annotation_may_be_invalid_by_itself(schema, why):
    """Name, type and bounds are judged."""
    ((one, fault),) = annotated({"properties": {"p": schema}}).faulty
    assert (one.where, fault) == ("/properties/p", why)


@pytest.mark.parametrize(
    "schema",
    [
        {"properties": {"p": {"items": STRING}}},
        {"anyOf": [{"properties": {"p": STRING}}]},
        {"$defs": {"p": STRING}},
        {"properties": {"p": {"if": {"properties": {"q": STRING}}}}},
        STRING,
    ],
)
def test_nothing_but_properties_leads_to_an_argument(schema):
    """Annotations inside items, alternatives, conditions and definitions, or on the root, are invalid."""
    ((_, fault),) = annotated(schema).faulty
    assert fault == "does not stand on a property that is reached by properties alone"


def test_names_are_compared_without_case():
    """The second of two equal names is the fault."""
    found = annotated({"properties": {"p": STRING, "q": {**STRING, "x-mcp-header": "REGION"}}})
    assert [one.path for one in found.valid] == [("p",)]
    assert [fault for _, fault in found.faulty] == ["repeats the name of another"]


@pytest.mark.parametrize("word", ["default", "const", "enum", "examples"])
def test_values_are_no_schemas(word):
    """What looks like an annotation inside a value is none."""
    assert annotated({"properties": {"p": {"type": "string", word: STRING}}}).faulty == []


def test_hostile_schemas_are_read_to_a_bounded_depth():
    """Whatever JSON it is, and however deep, nothing raises."""
    deep: dict = STRING
    for _ in range(10_000):
        deep = {"properties": {"p": deep}}
    for schema in (deep, None, 7, [STRING], {"properties": [STRING]}, {"properties": {"p": 7}}, {"anyOf": {}}):
        assert annotated(schema).faulty == []


def test_arguments_are_found_by_path():
    """A path through what is no object leads nowhere."""
    assert argument({"a": {"b": 1}}, ("a", "b")) == 1
    assert argument({"a": 7}, ("a", "b")) is None
    assert argument(None, ("a",)) is None
