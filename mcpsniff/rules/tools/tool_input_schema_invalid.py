"""A tool's inputSchema is no schema of an object."""

from typing import Any, ClassVar

from mcpsniff.protocol.inputs import InputRequest
from mcpsniff.rules.rule import SERVER, Call, Found, Message, quote

from ._published import Place, PublishedSchema, sampled


class _InputSchema(PublishedSchema):
    """What the revisions share."""

    title = "inputSchema is missing, not an object schema, or not a valid JSON Schema"
    violator = SERVER
    spec = {"2024-11-05": "server/tools#tool"}
    methods: ClassVar[tuple[str, ...]] = ("tools/list",)
    member = "inputSchema"

    def root(self, message: Message, place: Place) -> Found:
        """Yields what is wrong with the schema's root."""
        where, name, schema = place
        wrong = _wrong_root(schema)
        if wrong is not None:
            yield self.found(message, f"tool {quote(name)}: inputSchema {wrong}", where=where)


class ToolInputSchemaInvalid(_InputSchema):
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

    until = "2025-11-25"

    def on_answer(self, message: Message, call: Call | None) -> Found:
        for place in self.listed(message):
            yield from self.root(message, place)


class ToolInputSchemaBroken(_InputSchema):
    """From 2025-11-25 on a tool's `inputSchema` must also be valid in its dialect."""

    since, until = "2025-11-25", "2025-11-25"

    def on_answer(self, message: Message, call: Call | None) -> Found:
        for place in self.listed(message):
            if _wrong_root(place[2]) is None:
                yield from self.judge(message, place)


class ToolInputSchemaModern(_InputSchema):
    """In 2026-07-28 tools stand in tools/list and in sampling requests."""

    since = "2026-07-28"
    methods = ("tools/list", "sampling/createMessage")
    older_forms = True

    def on_answer(self, message: Message, call: Call | None) -> Found:
        for place in self.listed(message):
            yield from self._either(message, place)

    def on_input_request(self, message: Message, request: InputRequest) -> Found:
        for place in sampled(request, self.member):
            yield from self._either(message, place)

    def _either(self, message: Message, place: Place) -> Found:
        yield from self.root(message, place) if _wrong_root(place[2]) is not None else self.judge(message, place)


def _wrong_root(schema: Any) -> str | None:
    if schema is None:
        return "is missing or null"
    if not isinstance(schema, dict):
        return f"is not an object: {quote(schema)}"
    return None if schema.get("type") == "object" else f"has the root type {quote(schema.get('type'))}, not object"
