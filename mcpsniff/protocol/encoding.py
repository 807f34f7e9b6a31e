"""Bytes in a message's place that are not plain UTF-8: what is wrong with them, and the message that was meant.

JSON on the wire is UTF-8 without a byte order mark (RFC 8259, 8.1). Decodes with replacement, so that the rest of the
session still makes sense; does not judge.
"""

from __future__ import annotations

import re

from .torn import looks_like_message

BOM = b"\xef\xbb\xbf"
UTF16_BOMS = (b"\xff\xfe", b"\xfe\xff")
_OPENING = re.compile(rb"\{|\[\s*(\{|$)")  # not "[info] …"
NUL_SHARE = 0.25  # of the bytes: ASCII text in UTF-16 has half of them, in UTF-32 three quarters


def encoding_fault(data: bytes) -> str | None:
    """Gives what is wrong with the encoding: `UTF-16`, `byte order mark` or `not UTF-8`; None where nothing is."""
    if data.startswith(UTF16_BOMS) or data.count(0) > NUL_SHARE * len(data):
        return "UTF-16"
    if data.startswith(BOM):
        return "byte order mark"
    return None if first_bad_byte(data) is None else "not UTF-8"


def first_bad_byte(data: bytes) -> int | None:
    """Gives the offset of the first byte that is not UTF-8, or None."""
    try:
        data.decode()
    except UnicodeDecodeError as error:
        return error.start
    return None


def meant(data: bytes) -> bytes:
    """Gives the text as UTF-8: marks and zero bytes dropped, what cannot be read replaced."""
    for mark in (BOM, *UTF16_BOMS):
        data = data.removeprefix(mark)
    return data.replace(b"\0", b"").decode("utf-8", "replace").strip().encode()


def looks_like_json(data: bytes) -> bool:
    """Whether the bytes begin as a message or a batch does, whatever their encoding."""
    return _OPENING.match(meant(data[:64])) is not None


def recover(data: bytes) -> bytes | None:
    """Gives the message that wrongly encoded bytes were meant to be, or None where they are none."""
    if encoding_fault(data) is None:
        return None
    text = meant(data)
    return text if looks_like_message(text) else None
