"""Schemas that servers publish with their tools: where they stand, and what the rules on them share."""

from collections.abc import Iterator
from typing import Any, ClassVar

from mcpsniff.protocol.inputs import InputRequest
from mcpsniff.protocol.schema import Flaw
from mcpsniff.protocol.toolschema import DEFAULT, Judged, dialect_of, is_older_form, judge
from mcpsniff.rules.rule import INFO, Found, Message, Rule, quote

HINTS = (b"$ref", b"$dynamicRef", b"\\u")  # bytes without which a message holds no reference
OLDER = ("definitions", "dependencies")  # keywords of drafts before 2019-09
Place = tuple[str, str, Any]  # JSON pointer of the schema, tool's name, schema; None where there is none


class PublishedSchema(Rule):
    """What the rules on published schemas share; `judge` is for the revisions that give schemas a dialect."""

    member: ClassVar[str]  # of the tool
    older_forms: ClassVar[bool] = False  # forms of older drafts are only noted

    def listed(self, message: Message) -> Iterator[Place]:
        """Gives the schemas in a tools/list result."""
        yield from published("/result/tools", message.result.get("tools"), self.member)

    def judge(self, message: Message, place: Place) -> Found:
        """Yields what is wrong with a schema by its dialect."""
        where, name, schema = place
        judged, what = judge(schema), f"tool {quote(name)}: {self.member}"
        flaws = [flaw for flaw in judged.broken if not (self.older_forms and is_older_form(schema, flaw))]
        if flaws:
            yield self.found(message, f"{what}{_told(flaws[0])}", where=where + flaws[0].where)
        elif dialect_of(schema) is None:
            text = f"{what} is written in {quote(schema.get('$schema'))}"
            yield self.found(message, text, where=where, severity=INFO, fault="dialect")
        elif self.older_forms and _looks_older(schema, judged):
            text = f"{what} uses forms of drafts before 2020-12"
            yield self.found(message, text, where=where, severity=INFO, fault="older form")
        elif judged.unjudged is not None:
            yield self.unchecked(f"an {self.member}: {judged.unjudged}")


def published(where: str, tools: Any, member: str) -> Iterator[Place]:
    """Gives one schema of each tool in a list."""
    for index, tool in enumerate(tools if isinstance(tools, list) else ()):
        if isinstance(tool, dict):
            name = tool.get("name")
            yield f"{where}/{index}/{member}", name if isinstance(name, str) else "?", tool.get(member)


def sampled(request: InputRequest, member: str) -> Iterator[Place]:
    """Gives one schema of each tool that a sampling request offers to the model."""
    yield from published(request.member("tools"), request.params.get("tools"), member)


def holds_references(message: Message) -> bool:
    """Whether a message may hold a schema with references: a look at its bytes."""
    return any(hint in message.raw for hint in HINTS)


def _told(flaw: Flaw) -> str:
    return f"{quote(flaw.where, 60)} {quote(flaw.why, 120)}"


def _looks_older(schema: dict[str, Any], judged: Judged) -> bool:
    """Whether a 2020-12 schema has a list as `items`, or keywords that 2020-12 has given other names."""
    return dialect_of(schema) == DEFAULT and (bool(judged.broken) or any(word in schema for word in OLDER))
