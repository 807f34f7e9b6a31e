"""Names of `_meta` keys and extensions: an optional prefix of labels in reverse DNS order, and a name.

(2025-06-18 and later, basic/index `_meta`; 2026-07-28 names extensions the same way.) Knows the grammar and which
prefixes are reserved; judges nothing.
"""

from __future__ import annotations

import re

from .revisions import (
    META_CLIENT_CAPABILITIES,
    META_CLIENT_INFO,
    META_LOG_LEVEL,
    META_SERVER_INFO,
    META_SUBSCRIPTION,
    META_VERSION,
    TASKS_EXTENSION,
)

_LABEL = r"[A-Za-z](?:[A-Za-z0-9-]*[A-Za-z0-9])?"
_PREFIX = rf"{_LABEL}(?:\.{_LABEL})*/"
_NAME = r"(?:[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)?"
KEY = re.compile(rf"(?:{_PREFIX})?{_NAME}")
PREFIXED = re.compile(rf"{_PREFIX}{_NAME}")

RESERVED_LABELS = frozenset(("modelcontextprotocol", "mcp"))
DEFINED = frozenset(
    (
        META_VERSION,
        META_CLIENT_INFO,
        META_CLIENT_CAPABILITIES,
        META_LOG_LEVEL,
        META_SERVER_INFO,
        META_SUBSCRIPTION,
        TASKS_EXTENSION,
        "io.modelcontextprotocol/related-task",
        "io.modelcontextprotocol/model-immediate-response",
        "io.modelcontextprotocol/ui",
    )
)


class Labels:
    """The first names of a session, told apart; all others count as one, so that nobody can flood the report."""

    __slots__ = ("_known", "_room")

    def __init__(self, room: int = 20) -> None:
        self._room = room  # names
        self._known: set[str] = set()

    def of(self, name: str) -> str:
        """Gives the name itself, or "" where there is no room for another."""
        if len(self._known) < self._room:
            self._known.add(name)
        return name if name in self._known else ""


def prefix_of(key: str) -> list[str]:
    """Gives the labels of a key's prefix; none where it has no prefix."""
    prefix, slash, _ = key.rpartition("/")
    return prefix.split(".") if slash else []
