"""Images and sounds that are not what they are said to be."""

import re
from base64 import b64decode
from collections.abc import Iterator
from typing import Any

from mcpsniff.protocol.message import SERVER, Kind
from mcpsniff.protocol.schema import pointer
from mcpsniff.rules.rule import INFO, Call, Found, Message, Rule, quote
from mcpsniff.rules.when import result, rich, when

MAGIC = {  # media type → how its data begin
    "image/png": re.compile(rb"\x89PNG\r\n\x1a\n"),
    "image/jpeg": re.compile(rb"\xff\xd8\xff"),
    "image/gif": re.compile(rb"GIF8[79]a"),
    "image/webp": re.compile(rb"RIFF....WEBP", re.DOTALL),
    "image/svg+xml": re.compile(rb"(\xef\xbb\xbf)?\s*<(\?xml|!--|!DOCTYPE|svg)", re.IGNORECASE),
    "audio/wav": re.compile(rb"RIFF....WAVE", re.DOTALL),
    "audio/mpeg": re.compile(rb"ID3|\xff[\xe2-\xe7\xea-\xef\xf2-\xf7\xfa-\xff]"),
    "audio/ogg": re.compile(rb"OggS"),
}
OTHER_NAMES = {
    "image/jpg": "image/jpeg",
    "audio/x-wav": "audio/wav",
    "audio/wave": "audio/wav",
    "audio/vnd.wave": "audio/wav",
    "audio/mp3": "audio/mpeg",
}
HEAD = 64  # characters of base64 that are looked at


class MediaTypeMismatch(Rule):
    """The mimeType of an image or audio block is not that of its data.

    ## Why it matters
    Model APIs refuse the whole request over one wrongly labelled image.

    ## How to fix
    Take the media type from the data, or from the encoder that made them, not from a file name.

    ## When it stays silent
    Types other than PNG, JPEG, GIF, WebP, SVG, WAV, MP3 and OGG are not judged, nor data that are no base64.
    """

    title = "mimeType does not match the data"
    tier = 2
    severity = {"2024-11-05": INFO}
    violator = SERVER
    spec = {"2024-11-05": "server/tools#image-content"}
    methods = ("tools/call", "prompts/get", "tasks/result")

    @when(result, rich)
    def on_answer(self, message: Message, call: Call | None) -> Found:
        if message.kind is not Kind.RESULT:
            return
        for where, block in _blocks(message.result):
            declared, data = block.get("mimeType"), block.get("data")
            if isinstance(declared, str) and isinstance(data, str) and (wrong := _wrong(declared, data)):
                text = f"declared as {quote(declared, 40)}, {wrong}"
                yield self.found(message, text, where=f"{where}/mimeType", fault=declared[:40])


def _blocks(result: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Gives the image and audio blocks of a result, by JSON pointer."""
    content, messages = result.get("content"), result.get("messages")
    found = [
        (pointer("result", "content", i), one) for i, one in enumerate(content if isinstance(content, list) else ())
    ]
    for i, one in enumerate(messages if isinstance(messages, list) else ()):
        found.append(
            (pointer("result", "messages", i, "content"), one.get("content") if isinstance(one, dict) else None)
        )
    for where, block in found:
        if isinstance(block, dict) and block.get("type") in ("image", "audio"):
            yield where, block


def _wrong(declared: str, data: str) -> str | None:
    """Gives what the data are instead of the declared type; None where that cannot be told or nothing is wrong."""
    name = declared.partition(";")[0].strip().lower()
    name = OTHER_NAMES.get(name, name)
    head = _decoded(data)
    if name not in MAGIC or not head or MAGIC[name].match(head):
        return None
    known = next((other for other, magic in MAGIC.items() if magic.match(head)), None)
    return f"but the data are {known}" if known else f"but the data begin with {quote(repr(head[:8]), 60)}"


def _decoded(data: str) -> bytes:
    try:
        return b64decode(data[:HEAD].encode("ascii"), validate=True)
    except ValueError:
        return b""
