"""Where `_meta` objects stand in a message; shared by the rules of this folder."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mcpsniff.protocol.message import Message
from mcpsniff.protocol.schema import pointer

FREE = frozenset(  # members that hold data of the application: a `_meta` in there is its own
    (
        "_meta",
        "arguments",
        "capabilities",
        "data",
        "experimental",
        "input",
        "inputSchema",
        "metadata",
        "outputSchema",
        "requestedSchema",
        "structuredContent",
    )
)
LOOKED_AT = 20_000  # values of one message


def meta_objects(message: Message) -> Iterator[tuple[str, dict[str, Any]]]:
    """Gives the `_meta` objects of a message with the JSON pointers to them, the outermost first."""
    for member in ("params", "result"):
        body = getattr(message, member)
        if isinstance(body.get("_meta"), dict):
            yield f"/{member}/_meta", body["_meta"]
    if message.raw.count(b'"_meta"') > 1:  # most messages have one alone
        yield from _nested(message)


def _nested(message: Message) -> Iterator[tuple[str, dict[str, Any]]]:
    rest = [(pointer(member), getattr(message, member)) for member in ("params", "result")]
    for _ in range(LOOKED_AT):
        if not rest:
            return
        where, value = rest.pop()
        inner = value.items() if isinstance(value, dict) else enumerate(value)
        children = [(where + pointer(name), one) for name, one in inner if name not in FREE]
        rest += [(path, child) for path, child in children if isinstance(child, (dict, list))]
        for path, child in children:
            if isinstance(child, dict) and isinstance(child.get("_meta"), dict):
                yield path + pointer("_meta"), child["_meta"]
