"""Versions that are refused where another should be offered."""

import json
import re

from mcpsniff.protocol.message import Kind
from mcpsniff.protocol.revisions import MODERN_CODES, REVISIONS
from mcpsniff.rules.rule import CONTEXTUAL, SERVER, WARNING, Call, Found, Message, Rule, Session, quote

_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_ABOUT = re.compile(r"protocol[ _-]?version|unsupported version|version not supported", re.IGNORECASE)


class VersionRejectedWithError(Rule):
    """The server refused initialize for its version, and offered no other.

    ## Why it matters
    The handshake ends where a counter-offer would let the client decide.

    ## How to fix
    Answer with the newest version that you support. The same page shows an error with `data.supported` as an example,
    so some clients cope with it.

    ## When it stays silent
    For params that are wrong in other ways, for a wrong MCP-Protocol-Version header, and for servers of 2026-07-28.
    """

    title = "Server rejected an unsupported version with an error instead of a counter-offer"
    tier = 2
    severity = {"2024-11-05": WARNING}
    until = "2025-11-25"
    violator = SERVER
    confidence = CONTEXTUAL
    methods = ("initialize",)
    spec = {"2024-11-05": "basic/lifecycle#version-negotiation"}
    by_value = True

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._refused: tuple[Message, Call] | None = None  # the first

    def on_answer(self, message: Message, call: Call | None) -> Found:
        refused = message.kind is Kind.ERROR and message.sender == SERVER and message.code not in MODERN_CODES
        if refused and call is not None and self._refused is None and _is_sound(call) and _names(message, call):
            self._refused = (message, call)
        yield from ()

    def on_end(self) -> Found:
        if self._refused is not None and self.session.server.modern is None:
            message, call = self._refused
            asked = quote(call.request.params["protocolVersion"])
            text = f"initialize with {asked} was refused with error {message.code}; a counter-offer was due"
            yield self.found(message, text, related=[call.seq])


def _is_sound(call: Call) -> bool:
    """Whether nothing but the version can be wrong with a request."""
    params, version = call.request.params, call.request.params.get("protocolVersion")
    dated = isinstance(version, str) and _DATE.fullmatch(version) is not None
    shaped = isinstance(params.get("capabilities"), dict) and isinstance(params.get("clientInfo"), dict)
    header = call.exchange.version if call.exchange is not None else None
    return dated and shaped and (header is None or header in REVISIONS)


def _names(error: Message, call: Call) -> bool:
    """Whether the error says that it is about the version."""
    said = json.dumps([error.error.get("message"), error.error.get("data")])
    return call.request.params["protocolVersion"] in said or _ABOUT.search(said) is not None
