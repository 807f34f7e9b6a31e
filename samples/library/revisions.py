"""What differs between the revisions of MCP, as tables: versions, fields, names of `_meta` keys and headers.

Versions are dates in ISO form, so that the order of the strings is the order of the revisions.
"""

import base64
from collections.abc import Iterable
from typing import Any

LEGACY = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
MODERN = ("2026-07-28",)
NEWEST_LEGACY = LEGACY[-1]
NEWEST_MODERN = MODERN[-1]

VERSION_KEY = "io.modelcontextprotocol/protocolVersion"
CLIENT_INFO_KEY = "io.modelcontextprotocol/clientInfo"
CLIENT_CAPABILITIES_KEY = "io.modelcontextprotocol/clientCapabilities"
LOG_LEVEL_KEY = "io.modelcontextprotocol/logLevel"
SERVER_INFO_KEY = "io.modelcontextprotocol/serverInfo"
SUBSCRIPTION_KEY = "io.modelcontextprotocol/subscriptionId"

LOG_LEVELS = ("debug", "info", "notice", "warning", "error", "critical", "alert", "emergency")

# Members that a revision brought: peers of an earlier one are not shown them.
MEMBER_SINCE = {
    "annotations": "2025-03-26",
    "title": "2025-06-18",
    "outputSchema": "2025-06-18",
    "structuredContent": "2025-06-18",
}
BATCHES_IN = "2025-03-26"
PROGRESS_MESSAGE_SINCE = "2025-03-26"
VERSION_HEADER_SINCE = "2025-06-18"
ELICITATION_SINCE = "2025-06-18"
PRIMING_EVENT_SINCE = "2025-11-25"
# From here on arguments that do not fit are a tool's error, which a model can mend; before, the protocol's.
ARGUMENT_ERRORS_ARE_RESULTS_SINCE = "2025-11-25"

# The parameter that the header Mcp-Name repeats.
NAME_SOURCE = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}

_SENTINEL_START, _SENTINEL_END = "=?base64?", "?="


def is_modern(version: str) -> bool:
    """Tells whether a version belongs to the era without a handshake."""
    return version >= MODERN[0]


def newest_common(ours: Iterable[str], theirs: Iterable[str]) -> str | None:
    """Returns the newest version in both sets, None where there is none in common."""
    return max(set(ours) & set(theirs), default=None)


def for_revision(definition: dict[str, Any], revision: str) -> dict[str, Any]:
    """Returns a definition without the members that the revision does not know yet."""
    return {key: value for key, value in definition.items() if MEMBER_SINCE.get(key, "") <= revision}


def header_value(text: str) -> str:
    """Returns `text` as the value of a mirrored header: as it is where safe, else in the Base64 form."""
    safe = all(" " <= char <= "~" or char == "\t" for char in text) and text == text.strip(" \t")
    looks_encoded = text.startswith(_SENTINEL_START) and text.endswith(_SENTINEL_END)
    if safe and not looks_encoded:
        return text
    return _SENTINEL_START + base64.b64encode(text.encode()).decode() + _SENTINEL_END


def header_text(value: str) -> str:
    """Returns the text that a mirrored header stands for; ValueError where its Base64 form is broken."""
    if not (value.startswith(_SENTINEL_START) and value.endswith(_SENTINEL_END)):
        return value
    encoded = value[len(_SENTINEL_START) : -len(_SENTINEL_END)]
    return base64.b64decode(encoded, validate=True).decode()
