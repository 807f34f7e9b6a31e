"""JSON text → value, however odd; members of an object as text. Never raises."""

from __future__ import annotations

import json
from typing import Any

import msgspec
from msgspec import Raw

decode_any = msgspec.json.Decoder().decode
_decode_members = msgspec.json.Decoder(dict[str, Raw]).decode


def decode(text: bytes | Raw) -> Any:
    """Gives the value of a JSON text, lone surrogates and huge numbers included; None beyond that."""
    try:
        return decode_any(text)
    except (msgspec.DecodeError, RecursionError):
        try:
            return json.loads(bytes(text))
        except (ValueError, RecursionError):
            return None


def raw_members(text: bytes | Raw) -> dict[str, Raw]:
    """Gives the members of a JSON object as text; none where it is no object."""
    try:
        return _decode_members(text)
    except (msgspec.DecodeError, RecursionError):
        value = decode(text)
        return {k: Raw(json.dumps(v).encode()) for k, v in value.items()} if isinstance(value, dict) else {}
