"""Error -32021 does not say which capability is missing."""

from typing import Any

from mcpsniff.protocol.revisions import MISSING_CAPABILITY
from mcpsniff.rules.rule import SERVER, Call, Found, Message, Rule, quote
from mcpsniff.rules.when import error, when


class MissingCapabilityErrorMalformed(Rule):
    """Error -32021 names no capability, or only ones that the request had declared.

    ## Why it matters
    A client tries again with what `requiredCapabilities` names; without it there is nothing to be done.

    ## How to fix
    Put the missing capabilities into `data.requiredCapabilities`, in the shape of `clientCapabilities`.

    ## When it stays silent
    One capability that the request did not declare is enough. `elicitation: {}` means form mode. The HTTP status is
    error-status-mismatch.
    """

    title = "MissingRequiredClientCapability error is incomplete, or names a capability the client had declared"
    violator = SERVER
    since = "2026-07-28"
    spec = {"2026-07-28": "basic/index#meta"}
    by_value = True

    @when(error)
    def on_answer(self, message: Message, call: Call | None) -> Found:
        if message.sender != SERVER or message.code != MISSING_CAPABILITY:
            return
        data = message.error.get("data")
        required = data.get("requiredCapabilities") if isinstance(data, dict) else None
        where = "/error/data/requiredCapabilities"
        if not isinstance(required, dict) or not required:
            yield self.found(message, "error -32021 names no required capability", where=where)
        elif call is not None and _covers(_spelled(call.client_capabilities or {}), _spelled(required)):
            text = f"error -32021 names {quote(', '.join(required))}, which record {call.seq} declares"
            yield self.found(message, text, related=[call.seq], where=where, fault="declared")


def _spelled(capabilities: dict[str, Any]) -> dict[str, Any]:
    """Gives the capabilities with the elicitation mode that an empty object means."""
    return {**capabilities, "elicitation": {"form": {}}} if capabilities.get("elicitation") == {} else capabilities


def _covers(declared: Any, required: Any) -> bool:
    """Whether everything that is required is declared, key by key."""
    if not isinstance(required, dict):
        return True
    return isinstance(declared, dict) and all(k in declared and _covers(declared[k], v) for k, v in required.items())
