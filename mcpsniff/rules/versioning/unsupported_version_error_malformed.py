"""Refusals of a version that do not say what would be accepted."""

from typing import Any

from mcpsniff.protocol.revisions import META_VERSION, UNSUPPORTED_VERSION
from mcpsniff.rules.rule import SERVER, Call, Found, Message, Rule, quote
from mcpsniff.rules.when import error, when


class UnsupportedVersionErrorMalformed(Rule):
    """An error -32022 lacks the supported versions or the requested one, or contradicts the request.

    ## Why it matters
    The list is what the client chooses its next version from; without it, it has to guess.

    ## How to fix
    Send `data.supported`, a list of version strings, and `data.requested`, the version that the request named.

    ## When it stays silent
    The refusal of an initialize may leave `requested` out; so may one whose request came before the capture.
    """

    title = "The UnsupportedProtocolVersion error is incomplete or contradicts itself"
    since = "2026-07-28"
    violator = SERVER
    spec = {"2026-07-28": "basic/versioning#protocol-version-negotiation"}
    by_value = True

    @when(error)
    def on_answer(self, message: Message, call: Call | None) -> Found:
        if message.sender != SERVER or message.code != UNSUPPORTED_VERSION:
            return
        data = message.error.get("data")
        handshake = not self.session.whole if call is None else call.method == "initialize"
        fault = _fault(data, call, handshake) if isinstance(data, dict) else "data is missing"
        if fault is not None:
            mark = self.session.era.modern_mark(message.seq)
            yield self.found(message, fault, related=[call.seq if call else None], mark=mark, where="/error/data")


def _fault(data: dict[str, Any], call: Call | None, may_leave_out: bool) -> str | None:
    supported, requested = data.get("supported"), data.get("requested")
    if not isinstance(supported, list) or not supported or not all(isinstance(one, str) for one in supported):
        return "data.supported is no list of versions"
    if requested is None:
        return None if may_leave_out else "data.requested is missing"
    asked = _asked(call)
    if asked is not None and requested != asked:
        return f"data.requested is {quote(requested)}, but the request named {quote(asked)}"
    return f"data.supported holds the requested {quote(requested)}" if requested in supported else None


def _asked(call: Call | None) -> str | None:
    """Gives the version that the request named."""
    if call is None:
        return None
    if call.method == "initialize":
        version = call.request.params.get("protocolVersion")
    else:
        version = call.request.meta.get(META_VERSION) or (call.exchange.version if call.exchange else None)
    return version if isinstance(version, str) else None
