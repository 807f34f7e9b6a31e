"""The server asks for a client feature that the client did not declare."""

from mcpsniff.protocol.mrtr import input_requests
from mcpsniff.protocol.revisions import LEGACY, REQUESTS, declares
from mcpsniff.protocol.schema import pointer
from mcpsniff.rules.echoes import CLIENT_CAPABILITIES
from mcpsniff.rules.rule import ERROR, SERVER, WARNING, Call, Found, Message, Rule
from mcpsniff.rules.when import has, when

NEEDED = {  # request of the server → capability of the client
    name: method.needs[0] for name, method in REQUESTS.items() if SERVER in method.senders and method.needs
}


class UndeclaredClientFeatureUsed(Rule):
    """The server asks the client for something (elicitation, sampling, roots) that the client did not declare.

    ## Why it matters
    A client without the feature answers with an error at best; the tool call that waits for the answer fails.

    ## How to fix
    Look at the client's capabilities before asking: those of `initialize` in the handshake revisions, from 2026-07-28
    on those in `_meta` of the very request that is being answered. There the right answer is error -32021.

    ## When it stays silent
    An empty object declares the feature. Where the client's capabilities were not seen nothing can be said. A feature
    announced under `experimental` counts in the handshake revisions. Which elicitation mode may be used is
    elicitation-mode-undeclared.
    """

    title = "Server asked for a client feature that the client did not declare"
    severity = {"2024-11-05": WARNING, "2025-06-18": ERROR}
    violator = SERVER
    until = "2025-11-25"
    spec = {"2024-11-05": "basic/lifecycle#capability-negotiation", "2026-07-28": "basic/patterns/mrtr"}
    methods = tuple(NEEDED)
    yields_to = ("method-not-in-revision",)
    echoes = CLIENT_CAPABILITIES

    def on_request(self, message: Message, call: Call) -> Found:
        declared = self.session.client_capabilities
        if message.sender != SERVER or declared is None or self.session.initialize is None:
            return
        needed = NEEDED[call.method]
        experimental = declared.get("experimental")
        if declares(declared, (needed,)) or (isinstance(experimental, dict) and needed in experimental):
            return
        asked = self.session.initialize.seq
        text = f"{call.method} needs the client capability {needed}, which record {asked} does not declare"
        known = [r for r in LEGACY if REQUESTS[call.method].defined_in(r)]
        yield self.found(message, text, related=[asked], fault=needed, only_in=known)


class UndeclaredInputRequested(Rule):
    """An inputRequests entry needs a capability that the request being answered does not declare."""

    id = "undeclared-client-feature-used"
    title = UndeclaredClientFeatureUsed.title
    violator = SERVER
    since = "2026-07-28"
    spec = UndeclaredClientFeatureUsed.spec
    echoes = CLIENT_CAPABILITIES

    @when(has("inputRequests"))
    def on_answer(self, message: Message, call: Call | None) -> Found:
        declared = self.session.declared_for(call) if call is not None else None
        if call is None or declared is None:
            return
        for key, entry in input_requests(message).items():
            method = entry.get("method") if isinstance(entry, dict) else None
            needed = NEEDED.get(method) if isinstance(method, str) else None
            if needed is not None and not any(declares(one, (needed,)) for one in declared):
                text = f"{method} needs the client capability {needed}, which record {call.seq} does not declare"
                where = pointer("result", "inputRequests", key)
                yield self.found(message, text, related=[call.seq], fault=needed, where=where)
