"""Refusals of a method that do not use the code for it."""

import re

from mcpsniff.protocol.lifecycle import Phase
from mcpsniff.protocol.message import CLIENT
from mcpsniff.protocol.revisions import INVALID_PARAMS, INVALID_REQUEST, LEGACY, METHOD_NOT_FOUND, REQUESTS, declares
from mcpsniff.rules.echoes import SERVER_CAPABILITIES
from mcpsniff.rules.rule import CONTEXTUAL, WARNING, Call, Found, Message, Rule, quote
from mcpsniff.rules.when import error, when

_SAYS_SO = re.compile(
    r"(method|procedure)\W+(.{0,80}\W)?(was |is )?not (found|supported|implemented|available|known)"
    r"|(unknown|unsupported|unrecognized|unimplemented|no such|invalid) method|not (supported|implemented)",
    re.IGNORECASE,
)

LOOKED_AT = 500  # characters of the error's message
OF_LIFECYCLE = (INVALID_REQUEST, INVALID_PARAMS)  # before initialization these complain of that


class UnknownMethodWrongCode(Rule):
    """An error says that the method is not known or not supported, and has another code than -32601.

    ## Why it matters
    Clients tell by the code whether a feature is absent or broken; with another one they try again or report a fault.

    ## How to fix
    Answer -32601 for every method that the server, or the client, does not have.

    ## When it stays silent
    Methods of the revision whose capability was declared, errors with other texts, -32600 and -32602 before the
    session is initialized, and HTTP statuses without a JSON-RPC body.
    """

    title = '"Method not found" was reported with another code than -32601'
    tier = 2
    severity = {"2024-11-05": WARNING}
    confidence = CONTEXTUAL
    until = LEGACY[-1]
    spec = {"2024-11-05": "https://www.jsonrpc.org/specification#error_object"}
    echoes = SERVER_CAPABILITIES

    @when(error)
    def on_answer(self, message: Message, call: Call | None) -> Found:
        text = message.error.get("message")
        if call is None or message.code in (None, METHOD_NOT_FOUND) or not isinstance(text, str):
            return
        if message.code in OF_LIFECYCLE and self.session.phase is not Phase.READY:
            return
        revisions = self._strange_in(call)
        if revisions and _SAYS_SO.search(text[:LOOKED_AT]):
            said = f'{quote(call.method)} is refused with {message.code} "{quote(text)}", not with {METHOD_NOT_FOUND}'
            yield self.found(message, said, related=[call.seq], where="/error/code", only_in=revisions)

    def _strange_in(self, call: Call) -> list[str]:
        """Gives the revisions that lack the method, or that ask for a capability which was not declared."""
        session, method = self.session, REQUESTS.get(call.method)
        if method is None:
            return list(LEGACY)
        declared = session.server_capabilities if call.requester == CLIENT else session.client_capabilities
        undeclared = declared is not None and not declares(declared, method.needs)
        return [r for r in LEGACY if not method.defined_in(r) or (undeclared and r >= method.needs_since)]
