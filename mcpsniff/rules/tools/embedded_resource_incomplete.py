"""An embedded resource is not whole."""

import re
from collections.abc import Iterator
from typing import Any

from mcpsniff.protocol.content import BLOCK, Piece
from mcpsniff.protocol.revisions import LEGACY, MODERN, REVISIONS
from mcpsniff.rules.rule import ERROR, INFO, SERVER, WARNING, Found, Message, Rule, quote

SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
Defect = tuple[str, str, tuple[str, ...]]  # in words, severity, revisions


class EmbeddedResourceIncomplete(Rule):
    """A content block of type `resource` has no resource, no URI, or neither text nor blob.

    ## Why it matters
    Typed clients refuse the whole result; others have nothing to show.

    ## How to fix
    `{"type": "resource", "resource": {"uri": "file:///a", "mimeType": "text/plain", "text": "…"}}`; for a mere
    reference use a `resource_link`.

    ## When it stays silent
    An empty text is a text. The media type may be missing, but for prompts, whose page demands it. Both text and blob
    are a note before 2026-07-28.
    """

    title = "Embedded resource misses uri, MIME type or contents"
    tier = 2
    violator = SERVER
    spec = {"2024-11-05": "server/prompts#embedded-resources"}

    def on_content(self, message: Message, pieces: list[Piece]) -> Found:
        for piece in pieces:
            if piece.kind == BLOCK and piece.type == "resource":
                for wrong, severity, known in _defects(piece):
                    text = f"embedded resource {wrong}"
                    yield self.found(message, text, where=piece.where, severity=severity, fault=wrong, only_in=known)


def _defects(piece: Piece) -> Iterator[Defect]:
    resource: Any = piece.value.get("resource")
    if not isinstance(resource, dict):
        yield "without a resource object", ERROR, REVISIONS
        return
    uri = resource.get("uri")
    if not isinstance(uri, str):
        yield "without a uri", ERROR, REVISIONS
    elif not SCHEME.match(uri):
        yield f"whose uri {quote(uri)} has no scheme", ERROR, REVISIONS
    held = [name for name in ("text", "blob") if isinstance(resource.get(name), str)]
    if not held:
        yield "with neither text nor blob", ERROR, REVISIONS
    elif len(held) > 1:
        yield "with both text and blob", INFO, LEGACY
        yield "with both text and blob", ERROR, (MODERN,)
    if piece.method == "prompts/get" and "mimeType" not in resource:
        yield "of a prompt without a mimeType", WARNING, LEGACY
        yield "of a prompt without a mimeType", INFO, (MODERN,)
