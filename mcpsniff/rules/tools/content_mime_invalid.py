"""Content has no media type where it needs one, or one that is none."""

import re

from mcpsniff.protocol.content import BLOCK, Piece
from mcpsniff.protocol.revisions import REVISIONS
from mcpsniff.rules.rule import ERROR, INFO, WARNING, Found, Message, Rule, quote

_TOKEN = r"[A-Za-z0-9!#$%&'*+.^_`|~-]+"
MEDIA_TYPE = re.compile(rf"{_TOKEN}/{_TOKEN}\s*(;.*)?", re.DOTALL)
SINCE = {"image": "2024-11-05", "audio": "2025-03-26"}  # block types that need a media type


class ContentMimeInvalid(Rule):
    """An image or audio block has no `mimeType` of the form type/subtype, or a resource has one that is malformed.

    ## Why it matters
    Without it the receiver cannot tell what the bytes are.

    ## How to fix
    Give a media type: `image/png`, `audio/wav`, `text/plain; charset=utf-8`.

    ## When it stays silent
    Parameters and unregistered types are fine, and resources need none. A block of another family (an image of type
    text/plain) is a note.
    """

    title = "Image or audio content lacks a valid MIME type"
    tier = 2
    spec = {"2024-11-05": "server/prompts#image-content"}

    def on_content(self, message: Message, pieces: list[Piece]) -> Found:
        for piece in pieces:
            family = piece.type if piece.kind == BLOCK and piece.type in SINCE else None
            if family is None and (not isinstance(piece.value, dict) or "mimeType" not in piece.value):
                continue
            wrong = _wrong(family, piece.value.get("mimeType"))
            if wrong is not None:
                severity, text = wrong
                known = [r for r in REVISIONS if r >= SINCE.get(family or "", REVISIONS[0])]
                where = f"{piece.where}/mimeType"
                yield self.found(message, text, where=where, severity=severity, fault=severity, only_in=known)


def _wrong(family: str | None, value: object) -> tuple[str, str] | None:
    if not isinstance(value, str) or not MEDIA_TYPE.fullmatch(value):
        told = "is missing" if value is None else f"is {quote(value)}"
        what = f"mimeType of the {family} block {told}" if family else f"mimeType {told}"
        return (ERROR if family else WARNING), what
    if family and not value.lower().startswith(f"{family}/"):
        return INFO, f"mimeType of the {family} block is {quote(value)}"
    return None
