"""A field of the protocol in `_meta` has the wrong type."""

from collections.abc import Callable, Iterator
from typing import Any

from mcpsniff.protocol.revisions import (
    META_CLIENT_CAPABILITIES,
    META_CLIENT_INFO,
    META_LOG_LEVEL,
    META_SERVER_INFO,
    META_SUBSCRIPTION,
    META_VERSION,
)
from mcpsniff.protocol.schema import pointer
from mcpsniff.rules.rule import Call, Found, Message, Rule, quote
from mcpsniff.rules.when import has, meta_alone, when

KNOWN = ("elicitation", "experimental", "extensions", "roots", "sampling")  # capabilities that are objects


def _text(value: Any) -> str | None:
    return None if isinstance(value, str) else "is not a string"


def _token(value: Any) -> str | None:
    whole = isinstance(value, (str, int)) or (isinstance(value, float) and value.is_integer())
    return None if whole and not isinstance(value, bool) else "is neither a string nor an integer"


def _implementation(value: Any) -> str | None:
    if not isinstance(value, dict):
        return "is not an object"
    wrong = [name for name in ("name", "version") if not isinstance(value.get(name), str)]
    return f"has no string {' and '.join(wrong)}" if wrong else None


def _capabilities(value: Any) -> str | None:
    if not isinstance(value, dict):
        return "is not an object"
    wrong = [name for name in KNOWN if name in value and not isinstance(value[name], dict)]
    return f"holds {' and '.join(wrong)} without an object" if wrong else None


FIELDS: dict[str, Callable[[Any], str | None]] = {
    META_VERSION: _text,
    META_CLIENT_INFO: _implementation,
    META_CLIENT_CAPABILITIES: _capabilities,
    META_LOG_LEVEL: _text,
    META_SERVER_INFO: _implementation,
    META_SUBSCRIPTION: _token,
}


class MetaFieldInvalid(Rule):
    """A field that MCP defines in `_meta` does not have the type that the protocol gives it.

    ## Why it matters
    Typed peers refuse the whole message, loose ones go on with a wrong value.

    ## How to fix
    Version and log level are strings; client and server info are objects with string name and version; capabilities
    are objects; tokens and subscription ids are strings or integers.

    ## When it stays silent
    Unknown keys, unknown capabilities, additional members and empty strings are free. A field that is not there has
    rules of its own.
    """

    title = "A protocol field in _meta has the wrong type or shape"
    since = "2026-07-28"
    spec = {"2026-07-28": "basic/index#meta"}

    @when(has("_meta"), once=meta_alone)
    def on_request(self, message: Message, call: Call) -> Found:
        yield from self._judge(message, "params", message.params)

    @when(has("_meta"), once=meta_alone)
    def on_notification(self, message: Message, call: Call | None) -> Found:
        yield from self._judge(message, "params", message.params)

    @when(has("_meta"), once=meta_alone)
    def on_answer(self, message: Message, call: Call | None) -> Found:
        yield from self._judge(message, "result", message.result)

    def _judge(self, message: Message, member: str, body: dict[str, Any]) -> Found:
        for key, wrong in _faults(body):
            where = pointer(member, "_meta", *([key] if key else []))
            yield self.found(message, f"{key or '_meta'} {wrong}", where=where, fault=key)


def _faults(body: dict[str, Any]) -> Iterator[tuple[str, str]]:
    if "_meta" not in body:
        return
    holder = body["_meta"]
    if not isinstance(holder, dict):
        yield "", f"is not an object: {quote(holder)}"
        return
    for key, judge in FIELDS.items():
        wrong = judge(holder[key]) if key in holder else None
        if wrong is not None:
            yield key, f"{wrong}: {quote(holder[key])}"
