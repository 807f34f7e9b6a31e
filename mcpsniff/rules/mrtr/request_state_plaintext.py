"""requestState that anybody can read and write."""

import base64
import binascii
from typing import Any

from mcpsniff.protocol.jsonvalue import decode
from mcpsniff.rules.rule import HEURISTIC, SERVER, WARNING, Call, Found, Message, Rule
from mcpsniff.rules.when import by_server, has, when

LOOKED_AT = 100_000  # characters
SIGNED = ("sig", "mac", "hash", "digest", "tag")  # parts of member names that look like protection


class RequestStatePlaintext(Rule):
    """A requestState is JSON, plain or in base64, without anything like a signature.

    ## Why it matters
    A client, or whoever sits between, can change it at will. Where it decides what is done or allowed, that is a hole.

    ## How to fix
    Sign or encrypt the state, or keep it on the server and send a random key.

    ## When it stays silent
    Where a member looks like a signature, and where the text has several parts. What the state is used for cannot be
    seen; the report never shows what it holds.
    """

    title = "requestState looks unprotected"
    tier = 3
    severity = {"2026-07-28": WARNING}
    violator = SERVER
    confidence = HEURISTIC
    since = "2026-07-28"
    spec = {"2026-07-28": "basic/patterns/mrtr#server-requirements-basic-workflow"}

    @when(by_server, has("requestState"))
    def on_answer(self, message: Message, call: Call | None) -> Found:
        state = message.result.get("requestState")
        if message.sender != SERVER or not isinstance(state, str) or len(state) > LOOKED_AT:
            return
        form = "JSON" if _is_open(state.encode(errors="replace")) else "JSON in base64" if _is_open(_raw(state)) else ""
        if form:
            related = [call.seq if call is not None else None]
            text = f"requestState is {form} ({len(state)} characters) without a signature"
            yield self.found(message, text, related=related, where="/result/requestState")


def _raw(state: str) -> bytes:
    """Gives what base64 or base64url says; empty where it is neither."""
    padded = state + "=" * (-len(state) % 4)
    try:
        return base64.b64decode(padded.translate(str.maketrans("-_", "+/")), validate=True)
    except (binascii.Error, ValueError):
        return b""


def _is_open(text: bytes) -> bool:
    value: Any = decode(text) if text.lstrip()[:1] in (b"{", b"[") else None
    if isinstance(value, dict):
        return not any(part in str(name).lower() for name in value for part in SIGNED)
    return isinstance(value, list)
