"""Halves of characters in strings."""

import re
from collections.abc import Iterator
from typing import Any

from mcpsniff.protocol.schema import pointer
from mcpsniff.rules.rule import EITHER, WARNING, Found, Message, Rule
from mcpsniff.rules.when import escapes, when

ESCAPE = re.compile(rb"\\u[dD][89a-fA-F]")
LONE = re.compile("[\ud800-\udfff]")
LOOKED_AT = 100_000  # values of one message


class UnpairedSurrogate(Rule):
    """A string holds one half of a character: an unpaired surrogate escape such as `\\ud83d`.

    ## Why it matters
    It is JSON by its grammar, but no UTF-8 text: many parsers refuse the whole message, others put a question mark.

    ## How to fix
    Never cut a string between two UTF-16 units; cut by characters before encoding.

    ## When it stays silent
    Pairs of escapes are characters like any other.
    """

    title = "String holds an unpaired surrogate"
    tier = 2
    severity = {"2024-11-05": WARNING}
    violator = EITHER
    spec = {"2024-11-05": "https://www.rfc-editor.org/rfc/rfc8259#section-8.2"}

    @when(escapes)
    def on_object(self, message: Message) -> Found:
        if ESCAPE.search(message.raw) is None:
            return
        where = next(_lone(message.value), None)
        if where is not None:
            place = where or "the message itself"
            text = f"the string at {place} holds a surrogate without its other half"
            yield self.found(message, text, where=where)


def _lone(root: Any) -> Iterator[str]:
    """Gives the JSON pointers of strings, or of members, with an unpaired surrogate."""
    waiting: list[tuple[str, Any]] = [("", root)]
    for _ in range(LOOKED_AT):
        if not waiting:
            return
        where, value = waiting.pop()
        if isinstance(value, str) and LONE.search(value):
            yield where.encode("utf-8", "backslashreplace").decode()
        elif isinstance(value, dict):
            waiting += [(where + pointer(name), name) for name in value]
            waiting += [(where + pointer(name), one) for name, one in value.items()]
        elif isinstance(value, list):
            waiting += [(where + pointer(index), one) for index, one in enumerate(value)]
