"""What headers of HTTP would say of a client's message that came over stdio: how it would look over there."""

from __future__ import annotations

import re
from base64 import b64encode

from mcpsniff.analysis.row import Row
from mcpsniff.protocol.headers import is_sentinel, mirrored
from mcpsniff.protocol.message import CLIENT, Message
from mcpsniff.protocol.revisions import LEGACY

NAMED = LEGACY[2:]  # since 2025-06-18 every request after the handshake names its revision
SESSION = ("Mcp-Session-Id", "(the one that the server gave, if it gave one)")

_PLAIN = re.compile(r"[!-~]([\t -~]*[!-~])?")  # what stands in a header as it is

Header = tuple[str, str]


def imagined(row: Row, message: Message) -> list[Header] | None:
    """Gives the headers that say something of MCP; None where there are none, or where they were recorded."""
    if row.x is not None or message.sender != CLIENT:
        return None
    if row.era == "modern":
        return [(name, _value(value)) for name, value in mirrored(message).items()]
    if message.method == "initialize":
        return None
    revision = None if row.session is None else row.session.revision
    return [("MCP-Protocol-Version", revision), SESSION] if revision in NAMED and revision is not None else [SESSION]


def _value(text: str) -> str:
    """Gives a text as the value of a header: in base64 where it could not stand there, or would be taken for that."""
    if _PLAIN.fullmatch(text) and not is_sentinel(text):
        return text
    return f"=?base64?{b64encode(text.encode('utf-8', 'replace')).decode()}?="
