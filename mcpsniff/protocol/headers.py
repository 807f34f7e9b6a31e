"""Values of HTTP headers that MCP gives a meaning: media types, and what mirrors the body (2026-07-28).

Streamable HTTP, "Value encoding" and "Standard request headers". Reads values only; who is at fault is for the rules.
"""

from __future__ import annotations

import binascii
from base64 import b64decode
from typing import Any

from .exchange import HttpExchange, header_values
from .message import Message
from .revisions import META_VERSION, NAME_SOURCE

JSON, EVENT_STREAM = "application/json", "text/event-stream"

_PREFIX, _SUFFIX = "=?base64?", "?="  # exactly so; in any other case the value is literal


def is_sentinel(value: str) -> bool:
    """Whether a header value has both markers of a base64 value."""
    return value.startswith(_PREFIX) and value.endswith(_SUFFIX) and len(value) >= len(_PREFIX) + len(_SUFFIX)


def decode_value(value: str) -> str | None:
    """Gives what a header value stands for: itself, or the text in its base64 sentinel; None where that is broken."""
    if not is_sentinel(value):
        return value
    try:
        return b64decode(value[len(_PREFIX) : -len(_SUFFIX)], validate=True).decode()
    except (binascii.Error, ValueError):
        return None


def accepted(exchange: HttpExchange) -> frozenset[str]:
    """Gives the media types and ranges of all Accept lines, in lower case, without those of quality 0."""
    items = ",".join(header_values(exchange.headers, "accept")).split(",")
    return frozenset(item.partition(";")[0].strip().lower() for item in items if item.strip() and not _refused(item))


def _refused(item: str) -> bool:
    for parameter in item.split(";")[1:]:
        name, _, value = parameter.partition("=")
        if name.strip().lower() == "q":
            return value.strip().rstrip("0").rstrip(".") in ("", "0")
    return False


def covers(ranges: frozenset[str], media_type: str) -> bool:
    """Whether a wildcard among the ranges covers a media type."""
    return "*/*" in ranges or media_type.partition("/")[0] + "/*" in ranges


def mirrored(message: Message) -> dict[str, Any]:
    """Gives, for a request, each header that must mirror a member of the body and that member's value."""
    sources = {"MCP-Protocol-Version": message.meta.get(META_VERSION), "Mcp-Method": message.method}
    if message.method is not None and message.method in NAME_SOURCE:
        sources["Mcp-Name"] = message.params.get(NAME_SOURCE[message.method])
    return {name: value for name, value in sources.items() if isinstance(value, str)}
