"""Versions that nobody has published."""

import re

from mcpsniff.protocol.message import SERVER, Kind
from mcpsniff.protocol.revisions import LEGACY, is_modern
from mcpsniff.rules.rule import CLIENT, CONTEXTUAL, INFO, WARNING, Call, Found, Message, Rule, quote

_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_DRAFT = re.compile(r"draft", re.IGNORECASE)


class ProtocolVersionUnknown(Rule):
    """initialize, or its result, names a protocol version that is no revision with a handshake.

    ## Why it matters
    In a request it is legal, and the server offers another. In a result it decides how both sides speak, and nobody
    else knows what it means.

    ## How to fix
    Name a published revision, as a date: 2025-11-25 is the newest with a handshake, 2026-07-28 has none.

    ## When it stays silent
    Versions that are no strings are for other rules. A request, and a draft that both sides know, get a note.
    """

    title = "protocolVersion is not a published revision"
    tier = 2
    severity = {"2024-11-05": INFO}
    until = "2025-11-25"
    confidence = CONTEXTUAL
    methods = ("initialize",)
    spec = {"2024-11-05": "basic/lifecycle#version-negotiation"}
    by_value = True

    def on_request(self, message: Message, call: Call) -> Found:
        version = message.params.get("protocolVersion")
        if message.sender == CLIENT and isinstance(version, str) and version not in LEGACY:
            yield self.found(message, f"initialize asks for {quote(version)}, {_kind(version)}")

    def on_answer(self, message: Message, call: Call | None) -> Found:
        version = message.result.get("protocolVersion")
        if call is None or message.sender != SERVER or message.kind is not Kind.RESULT:
            return
        if isinstance(version, str) and version not in LEGACY:
            shared = _DRAFT.search(version) and version == call.request.params.get("protocolVersion")
            text = f"initialize was answered with {quote(version)}, {_kind(version)}"
            severity = INFO if shared else WARNING
            yield self.found(message, text, related=[call.seq], severity=severity, where="/result/protocolVersion")


def _kind(version: str) -> str:
    if _DRAFT.search(version):
        return "a draft"
    if _DATE.fullmatch(version) is None:
        return "which is no date"
    return "a revision without a handshake" if is_modern(version) else "which is no published revision"
