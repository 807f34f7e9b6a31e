"""The head of a message: the members that make it one, as raw JSON, and what they make of it.

Decoded by msgspec; what that refuses (an unpaired surrogate escape, extreme nesting) goes to the standard parser. Never
raises on any JSON text; judges nothing.
"""

from __future__ import annotations

import json
from enum import Enum
from functools import lru_cache

import msgspec
from msgspec import UNSET, Raw, UnsetType

from .jsonvalue import decode, raw_members


class Kind(Enum):
    """What a JSON value in a message's place is, by its members alone."""

    __hash__ = object.__hash__  # that of Enum is a Python function

    REQUEST = "request"
    NOTIFICATION = "notification"
    RESULT = "result"
    ERROR = "error"
    BATCH = "batch"
    MALFORMED = "malformed"  # an object without a shape, or no object at all


ANSWERS = frozenset({Kind.RESULT, Kind.ERROR})
ODD = frozenset({Kind.BATCH, Kind.MALFORMED})  # what other JSON looks like, too


class Head(msgspec.Struct, gc=False):
    """The members that make a message, as raw JSON; UNSET where the member is absent."""

    jsonrpc: Raw | UnsetType = UNSET
    id: Raw | UnsetType = UNSET
    method: Raw | UnsetType = UNSET
    params: Raw | UnsetType = UNSET
    result: Raw | UnsetType = UNSET
    error: Raw | UnsetType = UNSET


_decode_head = msgspec.json.Decoder(Head).decode
ABSENT = Head()


@lru_cache(maxsize=500)  # nearly all methods of a capture are a handful: each is decoded once
def _short_method(raw: bytes) -> str | None:
    value = decode(raw)
    return value if isinstance(value, str) else None


def method_of(raw: bytes) -> str | None:
    """Gives the method of its JSON text; None where it is no string."""
    return _short_method(raw) if len(raw) <= 100 else _short_method.__wrapped__(raw)


def is_error(head: Head) -> bool:
    """Whether an answer counts as an error; "error": null beside a result is JSON-RPC 1.0's way to say success."""
    if head.error is UNSET:
        return False
    return head.result is UNSET or bytes(head.error) != b"null"


def head_of(raw: bytes) -> Head:
    """Gives the members of a JSON object."""
    try:
        return _decode_head(raw)
    except (msgspec.DecodeError, RecursionError):
        value = decode(raw)
        if not isinstance(value, dict):
            return ABSENT
        members = {name: Raw(json.dumps(value[name]).encode()) for name in Head.__struct_fields__ if name in value}
        return Head(**members)


def member_text(raw: bytes, path: tuple[str, ...]) -> bytes | None:
    """Gives the exact text of the member at `path` of a JSON object, or None."""
    for name in path:
        members = raw_members(raw)
        if name not in members:
            return None
        raw = bytes(members[name])
    return raw
