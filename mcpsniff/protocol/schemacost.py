"""How many steps would a validator need? Asked before it is let loose on a schema from the wire.

A schema that refers to itself twice, or doubles in every definition, makes validation exponential; nothing stops a
validator once it runs. Counts by the rules of the keywords, each (subschema, value) pair once; decides no validity.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

HERE = ("allOf", "anyOf", "oneOf", "not", "if", "then", "else")  # judge the value itself
HERE_BY_NAME = ("dependentSchemas", "dependencies")
ITEMS = ("items", "prefixItems", "additionalItems", "unevaluatedItems", "contains")  # judge the items of an array
MEMBERS = ("additionalProperties", "unevaluatedProperties")  # judge the members of an object
REFERENCES = ("$ref", "$dynamicRef", "$recursiveRef")
TWICE = ("unevaluatedProperties", "unevaluatedItems")  # look at the subschemas a second time

STEPS = 2_000_000  # that one validation may take: some tenths of a second
VISITS = 100_000  # that the count itself may make
NESTING = 150  # of subschemas on the way to one step


class Costly(Exception):
    """The validation would take too many steps."""


def check(root: dict[str, Any], value: Any, anchors: dict[str, Any]) -> None:
    """Raises Costly where judging the value would take more than STEPS steps."""
    _Count(root, anchors).steps(root, value, 0)


class _Count:
    """One count."""

    def __init__(self, root: dict[str, Any], anchors: dict[str, Any]) -> None:
        self._root = root
        self._anchors = anchors
        self._known: dict[tuple[int, int], int] = {}
        self._visits = 0

    def steps(self, schema: Any, value: Any, depth: int) -> int:
        """Gives the steps for one subschema and value."""
        self._visits += 1
        if depth > NESTING or self._visits > VISITS:
            raise Costly
        if not isinstance(schema, dict):
            return 1
        key = (id(schema), id(value))
        if key not in self._known:
            self._known[key] = STEPS  # a subschema that needs itself for the same value never ends
            self._known[key] = self._sum(schema, value, depth + 1)
        return self._known[key]

    def _sum(self, schema: dict[str, Any], value: Any, depth: int) -> int:
        here = sum(self.steps(sub, value, depth) for sub in self._here(schema))
        inside = sum(self.steps(sub, part, depth) for sub, part in _inside(schema, value))
        total = 1 + (here + inside) * (2 if any(word in schema for word in TWICE) else 1)
        if total >= STEPS:
            raise Costly
        return total

    def _here(self, schema: dict[str, Any]) -> Iterator[Any]:
        for word in HERE:
            yield from _listed(schema.get(word))
        for word in HERE_BY_NAME:
            yield from _named(schema.get(word))
        for word in REFERENCES:
            if isinstance(schema.get(word), str):
                yield resolve(self._root, schema[word], self._anchors)


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [] if value is None else [value]


def _named(value: Any) -> list[Any]:
    return list(value.values()) if isinstance(value, dict) else []


def _inside(schema: dict[str, Any], value: Any) -> Iterator[tuple[Any, Any]]:
    """Gives each subschema with each part of the value that it may judge."""
    if isinstance(value, dict):
        properties = schema.get("properties")
        if isinstance(properties, dict):
            yield from ((properties[name], part) for name, part in value.items() if name in properties)
        for sub in (*_named(schema.get("patternProperties")), *(schema.get(word) for word in MEMBERS)):
            yield from ((sub, part) for part in value.values())
        yield from ((schema.get("propertyNames"), name) for name in value)
    elif isinstance(value, list):
        for word in ITEMS:
            for sub in _listed(schema.get(word)):
                yield from ((sub, part) for part in value)


def resolve(root: Any, reference: str, anchors: dict[str, Any]) -> Any:
    """Gives what a reference inside the schema means, or None."""
    name = reference.removeprefix("#")
    if name and not name.startswith("/"):
        return anchors.get(name)
    node = root
    for part in name.split("/")[1:]:
        part = part.replace("~1", "/").replace("~0", "~")
        if isinstance(node, list) and part.isdigit() and int(part) < len(node):
            node = node[int(part)]
        elif isinstance(node, dict):
            node = node.get(part)
        else:
            return None
    return node
