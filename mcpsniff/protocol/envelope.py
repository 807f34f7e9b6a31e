"""The `_meta` objects of a session: parties say the same again and again, so each text is read once.

What is given is shared by all messages with the same text: nobody may change it. Judges nothing.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from msgspec import Raw

from .jsonvalue import decode, raw_members
from .revisions import ENVELOPE

SHORT = 2_000  # bytes of a `_meta` that is remembered


class Meta:
    """One `_meta` member."""

    __slots__ = ("modern", "texts", "value")

    def __init__(self, text: bytes) -> None:
        value = decode(text)
        self.value: dict[str, Any] = value if isinstance(value, dict) else {}
        self.texts = raw_members(text) if self.value else {}  # its members as JSON text
        self.modern = any(key in self.value for key in ENVELOPE)  # it holds what every modern request carries


def meta_of(text: Raw) -> Meta:
    """Gives the `_meta` of a text."""
    raw = bytes(text)
    return _short(raw) if len(raw) <= SHORT else Meta(raw)


_short = lru_cache(maxsize=200)(Meta)
NONE = Meta(b"{}")
