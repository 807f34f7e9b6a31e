"""A tool's inputSchema is no schema of an object."""

from collections.abc import Iterator
from typing import Any, ClassVar

from mcpsniff.protocol.mrtr import input_requests
from mcpsniff.protocol.schema import Flaw, pointer
from mcpsniff.protocol.toolschema import DEFAULT, Judged, dialect_of, is_older_form, judge
from mcpsniff.rules.rule import INFO, SERVER, Call, Found, Message, Rule, quote

OLDER = ("definitions", "dependencies")  # keywords of drafts before 2019-09
Place = tuple[str, str, Any]  # JSON pointer of the schema, tool's name, schema


class ToolInputSchemaInvalid(Rule):
    """A tool's `inputSchema` is missing, is no object schema, or is no valid JSON Schema.

    ## Why it matters
    Clients hand the schema to the model and check arguments with it; many drop the tool, or the whole list.

    ## How to fix
    `{"type": "object"}` is enough for a tool without arguments. Write the schema in the dialect that `$schema` names,
    2020-12 where it names none.

    ## When it stays silent
    Additional keywords are free. Before 2025-11-25 only the root is judged. A dialect that mcpsniff does not know is
    noted. From 2026-07-28 on forms of older drafts (`definitions`, `dependencies`, a list as `items`) are noted, too.
    References to other documents are not followed.
    """

    title = "inputSchema is missing, not an object schema, or not a valid JSON Schema"
    violator = SERVER
    until = "2025-11-25"
    spec = {"2024-11-05": "server/tools#tool"}
    methods = ("tools/list",)

    def on_answer(self, message: Message, call: Call | None) -> Found:
        for where, name, schema in _listed(message):
            wrong = _wrong_root(schema)
            if wrong is not None:
                yield self.found(message, f"tool {quote(name)}: inputSchema {wrong}", where=where)


class _Valid(Rule):
    """What the revisions share that give schemas a dialect."""

    older_forms: ClassVar[bool] = False  # forms of older drafts are only noted

    def judge(self, message: Message, place: Place) -> Found:
        where, name, schema = place
        judged = judge(schema)
        flaws = [flaw for flaw in judged.broken if not (self.older_forms and is_older_form(schema, flaw))]
        if flaws:
            yield self.found(message, _broken(name, flaws[0]), where=where + flaws[0].where)
        elif dialect_of(schema) is None:
            text = f"tool {quote(name)}: inputSchema is written in {quote(schema.get('$schema'))}"
            yield self.found(message, text, where=where, severity=INFO, fault="dialect")
        elif self.older_forms and _looks_older(schema, judged):
            text = f"tool {quote(name)}: inputSchema uses forms of drafts before 2020-12"
            yield self.found(message, text, where=where, severity=INFO, fault="older form")
        elif judged.unjudged is not None:
            yield self.unchecked(f"an inputSchema: {judged.unjudged}")


class ToolInputSchemaBroken(_Valid):
    """From 2025-11-25 on a tool's `inputSchema` must also be valid in its dialect."""

    id = "tool-input-schema-invalid"
    title = ToolInputSchemaInvalid.title
    violator = SERVER
    since, until = "2025-11-25", "2025-11-25"
    spec = ToolInputSchemaInvalid.spec
    methods = ("tools/list",)

    def on_answer(self, message: Message, call: Call | None) -> Found:
        for place in _listed(message):
            if _wrong_root(place[2]) is None:
                yield from self.judge(message, place)


class ToolInputSchemaModern(_Valid):
    """In 2026-07-28 tools stand in tools/list and in sampling requests."""

    id = "tool-input-schema-invalid"
    title = ToolInputSchemaInvalid.title
    violator = SERVER
    since = "2026-07-28"
    spec = ToolInputSchemaInvalid.spec
    older_forms = True

    def on_answer(self, message: Message, call: Call | None) -> Found:
        if call is None or message.sender != SERVER:
            return
        for place in (*(_listed(message) if call.method == "tools/list" else ()), *_sampled(message)):
            where, name, schema = place
            wrong = _wrong_root(schema)
            if wrong is not None:
                yield self.found(message, f"tool {quote(name)}: inputSchema {wrong}", where=where)
            else:
                yield from self.judge(message, place)


def _listed(message: Message) -> Iterator[Place]:
    yield from _tools("/result/tools", message.result.get("tools"))


def _sampled(message: Message) -> Iterator[Place]:
    for key, entry in input_requests(message).items():
        params = entry.get("params") if isinstance(entry, dict) else None
        if isinstance(params, dict) and entry.get("method") == "sampling/createMessage":
            yield from _tools(pointer("result", "inputRequests", key, "params", "tools"), params.get("tools"))


def _tools(where: str, tools: Any) -> Iterator[Place]:
    for index, tool in enumerate(tools if isinstance(tools, list) else ()):
        if isinstance(tool, dict):
            name = tool.get("name")
            yield f"{where}/{index}/inputSchema", name if isinstance(name, str) else "?", tool.get("inputSchema")


def _wrong_root(schema: Any) -> str | None:
    if schema is None:
        return "is missing or null"
    if not isinstance(schema, dict):
        return f"is not an object: {quote(schema)}"
    return None if schema.get("type") == "object" else f"has the root type {quote(schema.get('type'))}, not object"


def _broken(name: str, flaw: Flaw) -> str:
    return f"tool {quote(name)}: inputSchema{quote(flaw.where, 60)} {quote(flaw.why, 120)}"


def _looks_older(schema: dict[str, Any], judged: Judged) -> bool:
    """Whether a 2020-12 schema has a list as `items`, or keywords that 2020-12 has given other names."""
    return dialect_of(schema) == DEFAULT and (bool(judged.broken) or any(word in schema for word in OLDER))
