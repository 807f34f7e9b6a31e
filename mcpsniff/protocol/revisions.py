"""What each revision of MCP defines: one table a subject, and nothing about when.

A new revision is a new row here, in lifecycle.py and in schemas/. Nothing outside these tables asks for a version by
its date. Sources: the Messages, Lifecycle and Transports pages and the schema of each revision.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .sides import CLIENT, SERVER

LEGACY = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
MODERN = "2026-07-28"
REVISIONS = (*LEGACY, MODERN)

META = "io.modelcontextprotocol/"
META_VERSION = META + "protocolVersion"
META_CLIENT_INFO = META + "clientInfo"
META_CLIENT_CAPABILITIES = META + "clientCapabilities"
META_LOG_LEVEL = META + "logLevel"
META_SERVER_INFO = META + "serverInfo"
META_SUBSCRIPTION = META + "subscriptionId"
ENVELOPE = (META_VERSION, META_CLIENT_INFO, META_CLIENT_CAPABILITIES)  # the request fields of the modern era
TASKS_EXTENSION = META + "tasks"

PARSE_ERROR = -32700
INVALID_REQUEST = -32600
METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
HEADER_MISMATCH = -32020
MISSING_CAPABILITY = -32021
UNSUPPORTED_VERSION = -32022
URL_ELICITATION_REQUIRED = -32042  # 2025-11-25 alone
MODERN_CODES = frozenset({HEADER_MISMATCH, MISSING_CAPABILITY, UNSUPPORTED_VERSION})

LOG_LEVELS = ("debug", "info", "notice", "warning", "error", "critical", "alert", "emergency")


def is_modern(version: object) -> bool:
    """Whether a version string names 2026-07-28 or a later date; versions compare as strings."""
    return isinstance(version, str) and version[:2] == "20" and version >= MODERN


def is_legacy(version: object) -> bool:
    """Whether a version string is one of the four handshake revisions."""
    return version in LEGACY


def newest_common(offered: list[str], supported: list[str]) -> str | None:
    """Gives the newest version that both lists hold, or None."""
    return max(set(offered) & set(supported), default=None)


@dataclass(frozen=True, slots=True)
class Method:
    """One method: who sends it, in which revisions, behind which capability of the other side."""

    senders: tuple[str, ...]
    since: str = LEGACY[0]
    until: str = MODERN
    needs: tuple[str, ...] = ()  # path in the receiver's capabilities that must be declared
    needs_since: str = LEGACY[0]

    def defined_in(self, revision: str) -> bool:
        """Whether the revision has this method."""
        return self.since <= revision <= self.until


_C, _S, _BOTH = (CLIENT,), (SERVER,), (CLIENT, SERVER)
_OLD = LEGACY[-1]

REQUESTS: Mapping[str, Method] = {
    "initialize": Method(_C, until=_OLD),
    "ping": Method(_BOTH, until=_OLD),
    "tools/list": Method(_C, needs=("tools",)),
    "tools/call": Method(_C, needs=("tools",)),
    "resources/list": Method(_C, needs=("resources",)),
    "resources/templates/list": Method(_C, needs=("resources",)),
    "resources/read": Method(_C, needs=("resources",)),
    "resources/subscribe": Method(_C, until=_OLD, needs=("resources", "subscribe")),
    "resources/unsubscribe": Method(_C, until=_OLD, needs=("resources", "subscribe")),
    "prompts/list": Method(_C, needs=("prompts",)),
    "prompts/get": Method(_C, needs=("prompts",)),
    "completion/complete": Method(_C, needs=("completions",), needs_since="2025-03-26"),
    "logging/setLevel": Method(_C, until=_OLD, needs=("logging",)),
    "sampling/createMessage": Method(_S, until=_OLD, needs=("sampling",)),
    "roots/list": Method(_S, until=_OLD, needs=("roots",)),
    "elicitation/create": Method(_S, since="2025-06-18", until=_OLD, needs=("elicitation",)),
    "tasks/get": Method(_BOTH, since=_OLD, needs=("tasks",)),
    "tasks/result": Method(_BOTH, since=_OLD, until=_OLD, needs=("tasks",)),
    "tasks/list": Method(_BOTH, since=_OLD, until=_OLD, needs=("tasks", "list")),
    "tasks/cancel": Method(_BOTH, since=_OLD, needs=("tasks", "cancel")),
    "tasks/update": Method(_C, since=MODERN),
    "server/discover": Method(_C, since=MODERN),
    "subscriptions/listen": Method(_C, since=MODERN),
}

NOTIFICATIONS: Mapping[str, Method] = {
    "notifications/initialized": Method(_C, until=_OLD),
    "notifications/cancelled": Method(_BOTH),
    "notifications/progress": Method(_BOTH),
    "notifications/message": Method(_S),
    "notifications/roots/list_changed": Method(_C, until=_OLD),
    "notifications/resources/updated": Method(_S),
    "notifications/resources/list_changed": Method(_S),
    "notifications/tools/list_changed": Method(_S),
    "notifications/prompts/list_changed": Method(_S),
    "notifications/elicitation/complete": Method(_S, since=_OLD, until=_OLD),
    "notifications/tasks/status": Method(_BOTH, since=_OLD, until=_OLD),
    "notifications/tasks": Method(_S, since=MODERN),
    "notifications/subscriptions/acknowledged": Method(_S, since=MODERN),
}

METHODS: Mapping[str, Method] = {**REQUESTS, **NOTIFICATIONS}

# A client request with one of these and no modern `_meta` is of the handshake era for certain.
LEGACY_ONLY = frozenset(name for name, method in METHODS.items() if method.until in LEGACY and CLIENT in method.senders)
MODERN_ONLY = frozenset(("server/discover", "subscriptions/listen"))
NOT_WORK = frozenset(("initialize", "server/discover", "ping"))  # what may come before the first real request

BATCHES = frozenset(("2025-03-26",))  # revisions that know arrays of messages

LISTS: Mapping[str, str] = {  # list method → member that holds the items
    "tools/list": "tools",
    "prompts/list": "prompts",
    "resources/list": "resources",
    "resources/templates/list": "resourceTemplates",
    "roots/list": "roots",
    "tasks/list": "tasks",
}
ITEM_KEY: Mapping[str, str] = {  # list method → member that must be unique
    "tools/list": "name",
    "prompts/list": "name",
    "resources/list": "uri",
    "resources/templates/list": "uriTemplate",
    "roots/list": "uri",
    "tasks/list": "taskId",
}
CACHEABLE = frozenset(
    (
        "server/discover",
        "tools/list",
        "prompts/list",
        "resources/list",
        "resources/templates/list",
        "resources/read",
    )
)
RESULT_TYPES = ("complete", "input_required")  # that need no extension (2026-07-28, basic/index, resultType)
INPUT_REQUIRED = frozenset(("tools/call", "prompts/get", "resources/read"))  # methods that may ask back
INPUT_METHODS = frozenset(("elicitation/create", "sampling/createMessage", "roots/list"))  # what servers ask
NAME_SOURCE: Mapping[str, str] = {  # method → member of params that Mcp-Name mirrors
    "tools/call": "name",
    "prompts/get": "name",
    "resources/read": "uri",
}


def is_complete(result: Mapping[str, Any]) -> bool:
    """Whether a result is final; one without resultType is (2026-07-28, basic/index, resultType)."""
    return bool(result.get("resultType", "complete") == "complete")


def declares(capabilities: Mapping[str, Any] | None, path: tuple[str, ...]) -> bool:
    """Whether a capability is declared: an object (also an empty one), or true; null and false count as absent."""
    value: Any = capabilities
    for name in path:
        value = value.get(name) if isinstance(value, Mapping) else None
    return isinstance(value, Mapping) or value is True


def elicitation_modes(capabilities: Mapping[str, Any] | None) -> frozenset[str]:
    """Gives the elicitation modes a client declares; an empty object means form alone (from 2025-11-25)."""
    value = (capabilities or {}).get("elicitation")
    if not isinstance(value, Mapping):
        return frozenset()
    return frozenset(mode for mode in ("form", "url") if mode in value) if value else frozenset(("form",))


def is_vendor(method: str) -> bool:
    """Whether a method name begins with a domain, as in `com.example/stats`: nobody takes it for one of MCP's."""
    prefix, slash, _ = method.partition("/")
    return bool(slash) and "." in prefix
