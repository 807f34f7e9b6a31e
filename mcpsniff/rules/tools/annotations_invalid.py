"""Annotations hold what their definition does not allow."""

import re
from collections.abc import Iterator
from typing import Any

from mcpsniff.protocol.content import CONTENTS, Piece
from mcpsniff.protocol.revisions import REVISIONS
from mcpsniff.rules.rule import ERROR, WARNING, Found, Message, Rule, quote

AUDIENCE = ("user", "assistant")
TIME = re.compile(r"\d{4}-\d\d-\d\d([Tt ]\d\d:\d\d(:\d\d([.,]\d+)?)?([Zz]|[+-]\d\d(:?\d\d)?)?)?")
DATED = REVISIONS[2:]  # revisions that have lastModified


class AnnotationsInvalid(Rule):
    """`annotations` of content or a resource: a priority outside 0 to 1, an unknown audience, a date that is none.

    ## Why it matters
    Clients sort and filter by them; typed ones refuse the whole message.

    ## How to fix
    `priority` is a number from 0 to 1, `audience` a list of "user" and "assistant", `lastModified` an ISO 8601 time.

    ## When it stays silent
    Annotations of tools are another object. Unknown keys are free, a date without a time is fine.
    """

    title = "annotations carry values outside their definition"
    tier = 2
    spec = {"2024-11-05": "server/resources", "2025-06-18": "server/resources#annotations"}

    def on_content(self, message: Message, pieces: list[Piece]) -> Found:
        for piece in pieces:
            if piece.kind == CONTENTS or "annotations" not in piece.value:
                continue
            for name, wrong in _wrong(piece.value["annotations"]):
                late = name == "/lastModified"
                severity, known = (WARNING, DATED) if late else (ERROR, REVISIONS)
                where = f"{piece.where}/annotations{name}"
                yield self.found(message, wrong, where=where, severity=severity, fault=name, only_in=known)


def _wrong(annotations: Any) -> Iterator[tuple[str, str]]:
    """Gives the member and what is wrong with it, in words."""
    if not isinstance(annotations, dict):
        yield "", f"annotations is no object: {quote(annotations)}"
        return
    priority, audience = annotations.get("priority", 0), annotations.get("audience", [])
    if isinstance(priority, bool) or not isinstance(priority, (int, float)) or not 0 <= priority <= 1:
        yield "/priority", f"priority is {quote(priority)}"
    if not isinstance(audience, list) or not all(one in AUDIENCE for one in audience):
        yield "/audience", f"audience is {quote(audience)}"
    date = annotations.get("lastModified", "2026-07-28")
    if not isinstance(date, str) or not TIME.fullmatch(date):
        yield "/lastModified", f"lastModified is {quote(date)}"
