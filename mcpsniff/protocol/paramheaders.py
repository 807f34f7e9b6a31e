"""`x-mcp-header` annotations: which arguments of a tool must be mirrored into Mcp-Param headers (2026-07-28).

Streamable HTTP, "Custom headers from tool parameters". Reads schemas that came over the wire, with bounded depth;
judges only whether an annotation is a valid one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

KEYWORD = "x-mcp-header"
PREFIX = "Mcp-Param-"
DEPTH = 50  # levels of one schema
TOKEN = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+")
TYPES = ("string", "integer", "boolean")
SAFE = 2**53 - 1  # integers that every JSON reader keeps
BOUNDS = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum")

# Where a schema holds schemas; only `properties` leads to an argument.
_ONE = (
    "items", "additionalItems", "contains", "additionalProperties", "propertyNames", "unevaluatedItems",
    "unevaluatedProperties", "not", "if", "then", "else", "contentSchema",
)  # fmt: skip
_LISTS = ("items", "prefixItems", "anyOf", "oneOf", "allOf")
_MAPS = ("patternProperties", "$defs", "definitions", "dependentSchemas")


@dataclass(frozen=True, slots=True)
class Annotation:
    """One `x-mcp-header` of a tool's inputSchema."""

    value: Any  # of the keyword
    where: str  # JSON pointer of the schema that carries it
    path: tuple[str, ...] | None  # members of `arguments` that lead to the value; None where nothing does
    schema: Mapping[str, Any]

    @property
    def header(self) -> str:
        return f"{PREFIX}{self.value}"

    @property
    def fault(self) -> str | None:
        """Why it is no valid annotation, apart from its repeats; None where it is one."""
        if not isinstance(self.value, str):
            return "is no string"
        if not TOKEN.fullmatch(self.value):
            return "is no token of RFC 9110" if self.value else "is empty"
        if self.path is None:
            return "does not stand on a property that is reached by properties alone"
        type_ = self.schema.get("type")
        if type_ not in TYPES:
            return f"stands on type {type_!r:.40}, not on string, integer or boolean"
        wide = type_ == "integer" and any(_is_beyond(self.schema.get(bound)) for bound in BOUNDS)
        return "stands on an integer whose bounds are beyond 2^53 - 1" if wide else None


@dataclass(slots=True)
class Annotated:
    """The annotations of one inputSchema."""

    valid: list[Annotation] = field(default_factory=list)
    faulty: list[tuple[Annotation, str]] = field(default_factory=list)  # and why


def annotated(schema: Any) -> Annotated:
    """Gives the annotations of an inputSchema, whatever JSON it is."""
    out, seen = Annotated(), set[str]()
    for one in _walk(schema, "", ()):
        fault, name = one.fault, one.value.lower() if isinstance(one.value, str) else None
        if fault is None and name in seen:
            fault = "repeats the name of another"
        if fault is None:
            out.valid.append(one)
        else:
            out.faulty.append((one, fault))
        if name is not None:
            seen.add(name)
    return out


def _walk(schema: Any, where: str, path: tuple[str, ...] | None, depth: int = 0) -> Iterator[Annotation]:
    if not isinstance(schema, dict) or depth > DEPTH:
        return
    if KEYWORD in schema:
        yield Annotation(schema[KEYWORD], where, path or None, schema)
    properties = schema.get("properties")
    for name, part in properties.items() if isinstance(properties, dict) else ():
        below = None if path is None else (*path, name)
        yield from _walk(part, f"{where}/properties/{_escaped(name)}", below, depth + 1)
    for step, part in _elsewhere(schema):
        yield from _walk(part, f"{where}/{step}", None, depth + 1)


def _elsewhere(schema: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """Gives the schemas inside one that no chain of properties leads to."""
    for word in _ONE:
        yield word, schema.get(word)
    for word in _LISTS:
        parts = schema.get(word)
        for index, part in enumerate(parts if isinstance(parts, list) else ()):
            yield f"{word}/{index}", part
    for word in _MAPS:
        parts = schema.get(word)
        for name, part in parts.items() if isinstance(parts, dict) else ():
            yield f"{word}/{_escaped(name)}", part


def _escaped(name: str) -> str:
    return name.replace("~", "~0").replace("/", "~1")


def _is_beyond(bound: Any) -> bool:
    return isinstance(bound, (int, float)) and not isinstance(bound, bool) and abs(bound) > SAFE


def argument(arguments: Any, path: tuple[str, ...]) -> Any:
    """Gives the argument at a path; None where it is absent."""
    for name in path:
        arguments = arguments.get(name) if isinstance(arguments, dict) else None
    return arguments
