"""Members that stand twice in one object."""

import json
from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import UNSET

from mcpsniff.protocol.revisions import LEGACY, MODERN
from mcpsniff.protocol.schema import pointer
from mcpsniff.rules.rule import ERROR, INFO, WARNING, Found, Message, Rule, quote

ASKED = "/result/inputRequests"  # where the specification asks for unique keys
SHOWN = 3  # members named in one finding
BODIES = ("params", "result", "error")
NEVER = 1 << 60  # quotes: more than any text has

Pairs = list[tuple[str, Any]]


class DuplicateJsonKey(Rule):
    """An object in a message holds the same member twice.

    ## Why it matters
    Parsers keep the first or the last: the two sides, and whoever watches them, see different messages.

    ## How to fix
    Build objects from maps, and serialise them in one go. The other rules judge the last value.

    ## When it stays silent
    Names that differ in case are two members. In 2026-07-28 a repeated key in `inputRequests` is an error, anywhere
    else a note.
    """

    title = "A JSON object repeats a key"
    tier = 2
    severity = {"2024-11-05": WARNING, "2026-07-28": ERROR}
    spec = {
        "2024-11-05": "https://www.rfc-editor.org/rfc/rfc8259#section-4",
        "2026-07-28": "basic/patterns/mrtr#server-requirements-basic-workflow",
    }

    def on_object(self, message: Message) -> Found:
        if _is_plain(message):
            return
        repeated = list(_repeated(message.raw))
        if not repeated:
            return
        asked = [where for where in repeated if where.rpartition("/")[0] == ASKED]
        text = f"repeated: {', '.join(quote(where) for where in (asked or repeated)[:SHOWN])}"
        yield self.found(message, text, only_in=LEGACY, where=repeated[0])
        if asked:
            yield self.found(message, text, only_in=(MODERN,), where=asked[0])
        else:
            yield self.found(message, text, only_in=(MODERN,), where=repeated[0], severity=INFO)


def _is_plain(message: Message) -> bool:
    """Whether each member surely stands once: what was decoded has as many quotes as the text.

    Much cheaper than to parse the text again. Where it says no, the text is parsed after all.
    """
    raw = message.raw
    if not message.is_object or b"\\u0022" in raw:
        return not message.is_object
    head = message.head
    quotes = raw.count(b'"') - _quotes_of(head.jsonrpc) - _quotes_of(head.id) - _quotes_of(head.method)
    for name in BODIES:
        if getattr(head, name) is not UNSET:
            quotes -= 2 + _encoded_quotes(getattr(message, f"raw_{name}"))
    return quotes == 0


def _quotes_of(text: Any) -> int:
    """Gives the quotes of a member of the head and of its name; most are no more than a word or a number."""
    if text is UNSET:
        return 0
    if isinstance(text, str):
        return 4 if text.isascii() and text.isprintable() and '"' not in text else 2 + _encoded_quotes(text)
    return 2 + bytes(text).count(b'"')


def _encoded_quotes(value: Any) -> int:
    try:
        return msgspec.json.encode(value).count(b'"')
    except (UnicodeEncodeError, RecursionError):  # an unpaired surrogate, extreme nesting
        return NEVER


class _Object:
    """A JSON object with every member that it holds."""

    __slots__ = ("pairs",)

    def __init__(self, pairs: Pairs) -> None:
        self.pairs = pairs


def _repeated(text: bytes) -> Iterator[str]:
    """Gives the JSON pointer of each member that stands more than once in its object."""
    try:
        stack: list[tuple[str, Any]] = [("", json.loads(text, object_pairs_hook=_Object))]
    except (ValueError, RecursionError):
        return
    while stack:
        where, value = stack.pop()
        if isinstance(value, _Object):
            seen: set[str] = set()
            for name, member in value.pairs:
                below = where + pointer(name)
                if name in seen:
                    yield below
                seen.add(name)
                stack.append((below, member))
        elif isinstance(value, list):
            stack.extend((f"{where}/{index}", item) for index, item in enumerate(value))
