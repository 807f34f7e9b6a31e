"""A tool's outputSchema is no schema."""

from collections.abc import Iterator

from mcpsniff.rules.rule import SERVER, Call, Found, Message, quote

from ._published import Place, PublishedSchema


class _OutputSchema(PublishedSchema):
    """What the revisions share."""

    title = "outputSchema is not a valid JSON Schema object"
    tier = 2
    violator = SERVER
    spec = {"2025-06-18": "server/tools#output-schema", "2026-07-28": "server/tools#tool"}
    methods = ("tools/list",)
    member = "outputSchema"

    def given(self, message: Message) -> Iterator[Place]:
        """Gives the schemas that are there."""
        for place in self.listed(message):
            index = int(place[0].split("/")[3])
            if self.member in message.result["tools"][index]:
                yield place


class ToolOutputSchemaInvalid(_OutputSchema):
    """A tool's `outputSchema` is null or no object, describes no object, or is no valid JSON Schema.

    ## Why it matters
    Clients cannot check results by it; typed ones drop the tool, or the whole list.

    ## How to fix
    Leave the member out where there is no schema. Until 2025-11-25 the root must be of type object.

    ## When it stays silent
    Additional keywords are free. In 2025-06-18 only the root is judged. From 2026-07-28 on the root may be of any type.
    Dialects and older forms are treated as in tool-input-schema-invalid.
    """

    since, until = "2025-06-18", "2025-11-25"

    def on_answer(self, message: Message, call: Call | None) -> Found:
        for where, name, schema in self.given(message):
            root = schema.get("type") if isinstance(schema, dict) else None
            if root != "object":
                wrong = (
                    f"has the root type {quote(root)}, not object" if isinstance(schema, dict) else _no_object(schema)
                )
                yield self.found(message, f"tool {quote(name)}: outputSchema {wrong}", where=where)


class ToolOutputSchemaBroken(_OutputSchema):
    """From 2025-11-25 on a tool's `outputSchema` must also be valid in its dialect."""

    since, until = "2025-11-25", "2025-11-25"

    def on_answer(self, message: Message, call: Call | None) -> Found:
        for place in self.given(message):
            if isinstance(place[2], dict) and place[2].get("type") == "object":
                yield from self.judge(message, place)


class ToolOutputSchemaModern(_OutputSchema):
    """In 2026-07-28 the root may be of any type."""

    since = "2026-07-28"
    older_forms = True

    def on_answer(self, message: Message, call: Call | None) -> Found:
        for place in self.given(message):
            where, name, schema = place
            if isinstance(schema, dict):
                yield from self.judge(message, place)
            else:
                yield self.found(message, f"tool {quote(name)}: outputSchema {_no_object(schema)}", where=where)


def _no_object(schema: object) -> str:
    return f"is not an object: {quote(schema)}"
