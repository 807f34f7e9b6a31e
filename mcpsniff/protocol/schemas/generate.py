"""Writes REVISION.json beside this file from the models of mcp-types, without their prose.

    python -m mcpsniff.protocol.schemas.generate            (mcp-types is in the dev group)

A file holds the shape of params by request and notification and of results by request, over shared definitions. What
a revision does not have yet comes from history.py, what the models get wrong from patches.py.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import mcp_types.methods as methods
from pydantic import TypeAdapter

from .history import EMBEDDED, MODERN, REQUIRED_UNTIL, REVISIONS, SINCE
from .patches import PATCHES

TARGET = Path(__file__).parent
TABLES: dict[str, tuple[Mapping[tuple[str, str], Any], ...]] = {
    "requests": (methods.CLIENT_REQUESTS, methods.SERVER_REQUESTS),
    "notifications": (methods.CLIENT_NOTIFICATIONS, methods.SERVER_NOTIFICATIONS),
    "results": (methods.SERVER_RESULTS, methods.CLIENT_RESULTS),
}
PROSE = frozenset(("title", "description", "default", "format"))  # keywords that check nothing here
FREE = {"$ref": "#/$defs/JSONValue"}  # any JSON value, spelled as a recursion

Schema = dict[str, Any]
Definitions = dict[str, Schema]


def build(revision: str) -> dict[str, Any]:
    """Gives the shapes of one revision."""
    roots, definitions = _from_models(revision)
    shapes: dict[str, dict[str, Any]] = {table: {} for table in TABLES}
    for (table, method), schema in roots.items():
        name = _names(schema)[0]
        shapes[table][method] = _wrapped("result", _ref(name)) if table == "results" else name
    if revision == MODERN:
        _embed(shapes)
    definitions = {name: _without_prose(schema) for name, schema in definitions.items()}
    _cut_to(revision, definitions)
    _patch(definitions)
    definitions = {name: _told_apart(schema, definitions) for name, schema in definitions.items()}
    for table in ("requests", "notifications"):
        shapes[table] = {m: _params_of(definitions[name]) for m, name in shapes[table].items()}
    return {**_sorted(shapes), "$defs": _reachable(shapes, definitions)}


def _ref(name: str) -> Schema:
    return {"$ref": f"#/$defs/{name}"}


def _from_models(revision: str) -> tuple[dict[tuple[str, str], Schema], Definitions]:
    """Gives a schema for each (table, method), and the definitions they refer to."""
    models: list[Any] = [
        ((table, method), "validation", TypeAdapter(model))
        for table, maps in TABLES.items()
        for one in maps
        for (method, version), model in one.items()
        if version == revision
    ]
    schemas, shared = TypeAdapter.json_schemas(models)
    return {key: schema for (key, _), schema in schemas.items()}, shared["$defs"]


def _embed(shapes: dict[str, dict[str, Any]]) -> None:
    for method, (request, result) in EMBEDDED.items():
        shapes["requests"][method] = request
        shapes["results"][method] = _wrapped("result", _ref(result))


def _names(schema: Schema) -> list[str]:
    """Gives the definitions a schema refers to at once; of a union the first is the plain answer."""
    refs = [schema] if "$ref" in schema else schema.get("anyOf", [])
    return [part["$ref"].rpartition("/")[2] for part in refs if "$ref" in part]


def _wrapped(member: str, schema: Schema, *, required: bool = True) -> Schema:
    return {"properties": {member: schema}, **({"required": [member]} if required else {})}


def _params_of(message: Schema) -> Schema:
    """Gives the shape of a whole message, cut down to its params."""
    params = message["properties"].get("params")
    return _wrapped("params", params, required="params" in message.get("required", ())) if params else {}


# prose


def _without_prose(schema: Schema) -> Schema:
    """Gives the schema without what only a reader needs, and without pydantic's null for an absent member."""
    out = {k: _plain(k, v) for k, v in schema.items() if k not in PROSE}
    if "const" in out or "enum" in out:
        out.pop("type", None)
    if out.get("additionalProperties") in (True, {}, FREE):
        del out["additionalProperties"]
    if "properties" in out:
        required = out.get("required", ())
        out["properties"] = {
            name: value if name in required else _not_null(value) for name, value in out["properties"].items()
        }
    return _unwrapped(out)


def _plain(keyword: str, value: Any) -> Any:
    match keyword, value:
        case "properties", dict():
            return {name: _without_prose(member) for name, member in value.items()}
        case (("anyOf" | "items" | "additionalProperties"), dict()):
            return _without_prose(value)
        case "anyOf", list():
            return [_without_prose(part) for part in value]
        case "minimum" | "maximum", float():
            return int(value)
    return value


def _not_null(schema: Schema) -> Schema:
    """An optional member may be absent; null is a value like any other."""
    if isinstance(schema.get("type"), list):
        kinds = [kind for kind in schema["type"] if kind != "null"]
        return {**schema, "type": kinds if len(kinds) > 1 else kinds[0]}
    parts = [part for part in schema.get("anyOf", ()) if part != {"type": "null"}]
    return _unwrapped({**schema, "anyOf": parts}) if parts else schema


def _unwrapped(schema: Schema) -> Schema:
    """A choice of one is no choice, and a choice of plain types is a list of types."""
    parts = schema.get("anyOf", ())
    rest = {k: v for k, v in schema.items() if k != "anyOf"}
    if len(parts) == 1:
        return {**rest, **parts[0]}
    if parts and all(list(part) == ["type"] and isinstance(part["type"], str) for part in parts):
        return {**rest, "type": [part["type"] for part in parts]}
    return schema


# revisions and patches


def _cut_to(revision: str, definitions: Definitions) -> None:
    """Takes away what a later revision brought, and requires again what a later one made optional."""
    for key, since in SINCE.items():
        if revision < since:
            _remove(key, definitions)
    for key, until in REQUIRED_UNTIL.items():
        name, _, member = key.partition(".")
        if revision <= until:
            definitions[name]["required"] = sorted({*definitions[name].get("required", ()), member})


def _remove(key: str, definitions: Definitions) -> None:
    name, _, member = key.partition(".")
    members = definitions.get(name, {}).get("properties", {})
    if member.endswith("[]"):
        choice = members.get(member[:-2], {})
        _narrow(choice, [part for part in choice.get("anyOf", ()) if part.get("type") != "array"])
    elif member:
        members.pop(member, None)
    else:
        for schema in _all_schemas(definitions.values()):
            _narrow(schema, [part for part in schema.get("anyOf", ()) if name not in _names(part)])


def _narrow(schema: Schema, parts: list[Schema]) -> None:
    """Leaves these parts of a choice."""
    if schema.pop("anyOf", None) is not None:
        schema.update(_unwrapped({"anyOf": parts}))


def _all_schemas(values: Iterable[Any]) -> Iterator[Schema]:
    for value in values:
        if isinstance(value, dict):
            yield value
            yield from _all_schemas(list(value.values()))
        elif isinstance(value, list):
            yield from _all_schemas(value)


def _patch(definitions: Definitions) -> None:
    for key, schema in PATCHES.items():
        name, _, member = key.partition(".")
        if member in definitions.get(name, {}).get("properties", {}):
            definitions[name]["properties"][member] = schema


# choices


def _told_apart(schema: Any, definitions: Definitions) -> Any:
    """Turns a choice that a `type` member decides into conditions: the error then names the member at fault."""
    if isinstance(schema, list):
        return [_told_apart(part, definitions) for part in schema]
    if not isinstance(schema, dict):
        return schema
    out = {key: _told_apart(value, definitions) for key, value in schema.items()}
    parts = out.get("anyOf", [])
    refs = [part for part in parts if "$ref" in part]
    arrays = [part for part in parts if part.get("type") == "array"]
    tags = [_tag(definitions[_names(ref)[0]]) for ref in refs]
    if len(refs) < 2 or None in tags or len(refs) + len(arrays) != len(parts):
        return out
    del out["anyOf"]
    chosen = _by_type(dict(zip(tags, refs, strict=True)))
    return {**out, "if": {"type": "array"}, "then": arrays[0], "else": chosen} if arrays else {**out, **chosen}


def _tag(definition: Schema) -> str | None:
    """Gives the constant that the definition demands of its `type` member."""
    tag = definition.get("properties", {}).get("type", {}).get("const")
    return tag if isinstance(tag, str) else None


def _by_type(choices: Mapping[str | None, Schema]) -> Schema:
    return {
        "type": "object",
        "required": ["type"],
        "properties": {"type": {"enum": sorted(str(tag) for tag in choices)}},
        "allOf": [
            {"if": {"properties": {"type": {"const": tag}}, "required": ["type"]}, "then": ref}
            for tag, ref in choices.items()
        ],
    }


# output


def _reachable(shapes: Any, definitions: Definitions) -> Definitions:
    names: set[str] = set()
    waiting = [shapes]
    while waiting:
        for schema in _all_schemas([waiting.pop()]):
            name = str(schema.get("$ref", "")).rpartition("/")[2]
            if name and name not in names:
                names.add(name)
                waiting.append(definitions[name])
    return {name: definitions[name] for name in sorted(names)}


def _sorted(shapes: dict[str, dict[str, Schema]]) -> dict[str, dict[str, Schema]]:
    return {table: dict(sorted(rows.items())) for table, rows in shapes.items()}


def text(revision: str) -> str:
    """Gives the file of one revision: a definition a line, so that a change shows where it is."""
    sections = [
        f'"{section}": {{\n' + ",\n".join(f"  {json.dumps(k)}: {json.dumps(v)}" for k, v in rows.items()) + "\n}"
        for section, rows in build(revision).items()
    ]
    return "{\n" + ",\n".join(sections) + "\n}\n"


def main() -> None:
    """Writes the files of all revisions."""
    for revision in REVISIONS:
        (TARGET / f"{revision}.json").write_text(text(revision))


if __name__ == "__main__":
    main()
