"""JSON Schemas that came over the wire (a tool's inputSchema and outputSchema, a form): is one valid, does a value fit?

Such a schema is hostile: nothing is fetched, size, depth and steps are bounded, patterns run in linear time; whatever
is wrong with it becomes a Flaw or a reason why it cannot be judged, never an exception. The dialect is `$schema`'s,
2020-12 without it (server/tools, JSON Schema usage).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import Any

from . import schemacost
from .schema import Flaw, Unjudged, flaws_of, pointer

SIZE = 200_000  # bytes of one schema
DEPTH = 100  # levels of one schema
COMPILED = 200  # schemas kept
PATTERN_SIZE = 1_000_000  # bytes of one compiled pattern
DEFAULT = "json-schema.org/draft/2020-12/schema"
DIALECTS: Mapping[str, str] = {  # $schema without scheme and fragment → class of jsonschema_rs
    "json-schema.org/draft-04/schema": "Draft4Validator",
    "json-schema.org/draft-06/schema": "Draft6Validator",
    "json-schema.org/draft-07/schema": "Draft7Validator",
    "json-schema.org/draft/2019-09/schema": "Draft201909Validator",
    DEFAULT: "Draft202012Validator",
}


@dataclass(frozen=True, slots=True)
class Judged:
    """What is known of one schema."""

    broken: tuple[Flaw, ...] = ()  # what makes it no valid schema of its dialect
    unjudged: str | None = None  # why it, or a value against it, cannot be judged
    validator: Any = None
    schema: Any = None
    anchors: dict[str, Any] = field(default_factory=dict)
    refers: bool = False  # it holds references, so that steps must be counted

    def flaws(self, value: Any) -> list[Flaw]:
        """Gives what does not fit in a value; raises Unjudged where that cannot be told."""
        if self.validator is None:
            raise Unjudged(self.unjudged or "the schema itself is not valid")
        if self.refers:
            try:
                schemacost.check(self.schema, value, self.anchors)
            except (schemacost.Costly, RecursionError):
                raise Unjudged("judging a value by this schema would take too long") from None
        return flaws_of(self.validator, value)


def judge(schema: Any) -> Judged:
    """Gives what is known of a schema: any JSON value."""
    if isinstance(schema, bool):
        schema = {} if schema else {"not": {}}
    if not isinstance(schema, dict):
        return Judged(broken=(Flaw("", "is neither an object nor a boolean"),))
    try:
        text = json.dumps(schema, allow_nan=False)
    except (ValueError, RecursionError):  # a number out of range, extreme nesting
        return Judged(unjudged="the schema cannot be read")
    return _judge(text) if len(text) <= SIZE else Judged(unjudged=f"the schema is larger than {SIZE} bytes")


@lru_cache(maxsize=COMPILED)
def _judge(text: str) -> Judged:
    schema = json.loads(text)
    dialect = dialect_of(schema)
    if dialect is None:
        return Judged(unjudged=f"its dialect {schema.get('$schema')!r:.80} is not known")
    nodes = list(_nodes(schema, 0))
    if nodes[-1] is None:
        return Judged(unjudged=f"the schema is nested deeper than {DEPTH} levels")
    try:
        broken = tuple(flaws_of(_meta_validator(dialect), schema))
    except Unjudged as refused:
        return Judged(unjudged=str(refused))
    if broken:
        return Judged(broken=broken)
    references = [node[word] for node in nodes for word in schemacost.REFERENCES if isinstance(node.get(word), str)]
    foreign = next((r for r in references if not r.startswith("#")), None)
    if foreign is not None or (references and _nested_id(nodes)):
        return Judged(unjudged=f"it refers to {foreign or 'a schema with an $id of its own'}, which is not looked up")
    return _compiled(schema, DIALECTS[dialect], _anchors(nodes), bool(references))


def dialect_of(schema: Mapping[str, Any]) -> str | None:
    """Gives the key of DIALECTS that a schema is written in; None where it names another."""
    named = schema.get("$schema")
    if named is None:
        return DEFAULT
    key = named.partition("://")[2].partition("#")[0] if isinstance(named, str) else ""
    return key if key in DIALECTS else None


def is_older_form(schema: Mapping[str, Any], flaw: Flaw) -> bool:
    """Whether a flaw is only how an older draft wrote it: a list as `items`, which 2020-12 calls prefixItems."""
    return flaw.where.endswith("/items") and isinstance(schemacost.resolve(schema, f"#{flaw.where}", {}), list)


def network_references(schema: Any) -> Iterator[tuple[str, str]]:
    """Gives the references of a schema that name an http(s) address, with their JSON pointers; bounded in depth."""
    for where, node in _placed(schema, "", 0):
        for word in ("$ref", "$dynamicRef"):
            uri = node.get(word)
            if isinstance(uri, str) and uri.lower().startswith(("http://", "https://")):
                yield f"{where}/{word}", uri


def _placed(value: Any, where: str, depth: int) -> Iterator[tuple[str, dict[str, Any]]]:
    """Gives every object inside a schema with its JSON pointer."""
    if isinstance(value, dict):
        yield where, value
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, part in parts:
        if isinstance(part, (dict, list)) and depth < DEPTH:
            yield from _placed(part, where + pointer(name), depth + 1)


def _nodes(value: Any, depth: int) -> Iterator[Any]:
    """Gives every object inside a schema; a last None where it is nested too deep."""
    if depth > DEPTH:
        yield None
        return
    if isinstance(value, dict):
        yield value
    for part in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        if isinstance(part, (dict, list)):
            for node in _nodes(part, depth + 1):
                yield node
                if node is None:
                    return


def _nested_id(nodes: list[Any]) -> bool:
    return any(isinstance(node.get("$id"), str) for node in nodes[1:])


def _anchors(nodes: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        node[word]: node for node in nodes for word in ("$anchor", "$dynamicAnchor") if isinstance(node.get(word), str)
    }


@cache
def _meta_validator(dialect: str) -> Any:
    """Gives the validator of a dialect's own meta-schema, which the library carries."""
    import jsonschema_rs

    scheme = "https" if "/draft/" in dialect else "http"
    return getattr(jsonschema_rs, DIALECTS[dialect])({"$ref": f"{scheme}://{dialect}"}, validate_formats=False)


def _compiled(schema: dict[str, Any], dialect: str, anchors: dict[str, Any], refers: bool) -> Judged:
    import jsonschema_rs

    make = getattr(jsonschema_rs, dialect)
    options = jsonschema_rs.RegexOptions(size_limit=PATTERN_SIZE)
    try:
        validator = make(schema, validate_formats=False, retriever=_fetch_nothing, pattern_options=options)
    except ValueError as refused:  # an unresolved reference, a pattern that linear time cannot do
        reason = str(refused).partition("\n")[0]
        return Judged(unjudged=f"the validator refuses it: {reason:.120}")
    return Judged(validator=validator, schema=schema, anchors=anchors, refers=refers)


def _fetch_nothing(uri: str) -> Any:
    raise LookupError(f"{uri} is not fetched")


__all__ = ["DEFAULT", "Judged", "dialect_of", "is_older_form", "judge", "network_references"]
