"""Extensions of 2026-07-28: who declares which, and what of a message belongs to one (basic/versioning).

A client declares with every request, a server in its discover result.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from .message import Message
from .revisions import META_CLIENT_CAPABILITIES, TASKS_EXTENSION

UI_EXTENSION = "io.modelcontextprotocol/ui"


def extensions_in(capabilities: Mapping[str, Any] | None) -> dict[str, Any]:
    """Gives the extensions that capabilities declare, by identifier."""
    declared = (capabilities or {}).get("extensions")
    return declared if isinstance(declared, dict) else {}


def declarations(message: Message) -> Iterator[tuple[tuple[str, ...], dict[str, Any]]]:
    """Gives the declarations in a message, each with the path to it: a request's own, a discover result's."""
    for path, holder in (
        (("params", "_meta", META_CLIENT_CAPABILITIES), message.params.get("_meta")),
        (("result", "capabilities"), message.result),
    ):
        capabilities = holder.get(path[-1]) if isinstance(holder, dict) else None
        if isinstance(capabilities, dict) and extensions_in(capabilities):
            yield (*path, "extensions"), extensions_in(capabilities)


def extension_of(request: Message) -> str | None:
    """Gives the extension that a client request makes use of, as far as it is a known one."""
    method = request.method or ""
    if method.startswith("tasks/"):
        return TASKS_EXTENSION
    if method.startswith("ui/"):
        return UI_EXTENSION
    wanted = request.params.get("notifications") if method == "subscriptions/listen" else None
    return TASKS_EXTENSION if isinstance(wanted, dict) and wanted.get("taskIds") else None
