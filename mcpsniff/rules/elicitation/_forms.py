"""What a form may ask for: the schema shapes that each revision gives to elicitation (client/elicitation)."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from mcpsniff.protocol.revisions import MODERN
from mcpsniff.protocol.schema import pointer
from mcpsniff.rules.rule import quote

CREATE = "elicitation/create"
FORMATS = ("email", "uri", "date", "date-time")
COMBINED = ("$ref", "$dynamicRef", "anyOf", "allOf", "not", "if")  # what no form has at the top of a property


@dataclass(frozen=True, slots=True)
class Shapes:
    """What one revision allows."""

    types: tuple[str, ...]
    patterns: bool  # of strings
    titled: bool  # oneOf of const and title
    knows_required: bool  # names in `required` must be properties


_FLAT = ("string", "number", "integer", "boolean")
BY_REVISION: Mapping[str, Shapes] = {
    "2025-06-18": Shapes(_FLAT, patterns=False, titled=False, knows_required=False),
    "2025-11-25": Shapes((*_FLAT, "array"), patterns=True, titled=True, knows_required=False),
    MODERN: Shapes((*_FLAT, "array"), patterns=True, titled=True, knows_required=True),
}
URL_MODE = ("2025-11-25", MODERN)  # revisions that have it; before, `mode` is an unknown member
Defect = tuple[str, str]  # JSON pointer, in words


def defects(schema: Mapping[str, Any], shapes: Shapes) -> Iterator[Defect]:
    """Gives what goes beyond a flat form."""
    if schema.get("type") != "object":
        yield "/type", f"the root type is {quote(schema.get('type'))}, not object"
    properties = schema.get("properties")
    if not isinstance(properties, dict):
        yield "/properties", "properties is missing or no object"
        return
    for name, property_ in properties.items():
        wrong = _wrong(property_, shapes)
        if wrong is not None:
            yield pointer("properties", name), f"property {quote(name, 40)} {wrong}"
    required = schema.get("required")
    for name in required if isinstance(required, list) and shapes.knows_required else ():
        if not isinstance(name, str) or name not in properties:
            yield "/required", f"required names {quote(name, 40)}, which is no property"


def supported(schema: Mapping[str, Any], revision: str) -> bool:
    """Whether a revision has such forms."""
    return next(defects(schema, BY_REVISION[revision]), None) is None


def _wrong(schema: Any, shapes: Shapes) -> str | None:
    if not isinstance(schema, dict):
        return "has no schema object"
    combined = next((word for word in COMBINED if word in schema), None)
    if combined is not None:
        return f"uses {combined}"
    kind = schema.get("type")
    if kind not in shapes.types:
        return "has no type" if kind is None else f"has the type {quote(kind)}"
    return _wrong_array(schema) if kind == "array" else _wrong_string(schema, shapes) if kind == "string" else None


def _wrong_string(schema: dict[str, Any], shapes: Shapes) -> str | None:
    if "format" in schema and schema["format"] not in FORMATS:
        return f"has the format {quote(schema['format'])}"
    if "pattern" in schema and not shapes.patterns:
        return "has a pattern"
    if "oneOf" in schema and not (shapes.titled and _titled(schema["oneOf"])):
        return "uses oneOf for something else than titled choices" if shapes.titled else "uses oneOf"
    if "enum" in schema and not _strings(schema["enum"]):
        return "has choices that are no strings"
    return None


def _wrong_array(schema: dict[str, Any]) -> str | None:
    items = schema.get("items")
    if isinstance(items, dict) and (_titled(items.get("anyOf")) or _strings(items.get("enum"))):
        return None
    return "is an array of something else than choices"


def _titled(choices: Any) -> bool:
    return isinstance(choices, list) and all(
        isinstance(one, dict) and isinstance(one.get("const"), str) and isinstance(one.get("title"), str)
        for one in choices
    )


def _strings(values: Any) -> bool:
    return isinstance(values, list) and all(isinstance(value, str) for value in values)
