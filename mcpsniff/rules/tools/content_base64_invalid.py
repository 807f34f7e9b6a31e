"""Binary content is no base64."""

import binascii
import re

from mcpsniff.protocol.content import CONTENTS, Piece
from mcpsniff.rules.rule import ERROR, INFO, Found, Message, Rule, quote

BINARY = ("image", "audio")  # block types with data
SPACE = re.compile(r"[ \t\r\n]+")


class ContentBase64Invalid(Rule):
    """The data of an image or audio block, or the blob of a resource, does not decode as standard base64.

    ## Why it matters
    The receiver cannot show the picture; strict clients refuse the whole message.

    ## How to fix
    Standard alphabet (+ and /), padded with =, nothing before it: no `data:` URL, no `b'…'`, not the URL-safe form.

    ## When it stays silent
    Empty data. Line breaks inside are a note. Whether the bytes are a picture is not asked.
    """

    title = "Binary content is not valid base64"
    tier = 2
    spec = {"2024-11-05": "server/prompts#image-content"}

    def on_content(self, message: Message, pieces: list[Piece]) -> Found:
        for piece in pieces:
            name = "blob" if piece.kind == CONTENTS else "data" if piece.type in BINARY else ""
            data = piece.value.get(name) if name else None
            wrong = _wrong(data) if isinstance(data, str) else None
            if wrong is not None:
                severity, why = wrong
                text = f"{name} {why}: {quote(data, 40)} ({len(str(data))} characters)"
                yield self.found(message, text, where=f"{piece.where}/{name}", severity=severity, fault=why)


def _wrong(data: str) -> tuple[str, str] | None:
    if _decodes(data):
        return None
    if data[:5].lower() == "data:":
        return ERROR, "is a data: URL"
    if _decodes(SPACE.sub("", data)):
        return INFO, "is base64 with white space in it"
    urlsafe = SPACE.sub("", data).translate(str.maketrans("-_", "+/"))
    return ERROR, "is URL-safe or unpadded base64" if _decodes(urlsafe + "=" * (-len(urlsafe) % 4)) else "is no base64"


def _decodes(data: str) -> bool:
    try:
        binascii.a2b_base64(data, strict_mode=True)
    except ValueError:
        return False
    return True
