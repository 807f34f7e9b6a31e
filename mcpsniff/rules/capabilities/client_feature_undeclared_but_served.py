"""Clients that serve what they did not declare."""

from mcpsniff.protocol.message import CLIENT, SERVER
from mcpsniff.protocol.revisions import LEGACY, REQUESTS, declares
from mcpsniff.rules.echoes import CLIENT_CAPABILITIES
from mcpsniff.rules.rule import ERROR, Call, Found, Message, Rule

NEEDED = {  # request of the server → capability of the client
    name: REQUESTS[name].needs[0] for name in ("roots/list", "sampling/createMessage", "elicitation/create")
}


class ClientFeatureUndeclaredButServed(Rule):
    """The client answers an elicitation, sampling or roots request with a result, without declaring the capability.

    ## Why it matters
    Servers go by the capabilities: they do without what the client could do.

    ## How to fix
    Declare each feature that the client serves in `capabilities` of initialize; answer others with -32601.

    ## When it stays silent
    Errors. A feature announced under `experimental`. Where the initialize request was not seen nothing can be said.
    """

    title = "Client serves a feature it did not declare"
    tier = 2
    severity = {"2024-11-05": ERROR}
    violator = CLIENT
    until = LEGACY[-1]
    spec = {"2024-11-05": "basic/lifecycle#capability-negotiation"}
    methods = tuple(NEEDED)
    echoes = CLIENT_CAPABILITIES

    def on_answer(self, message: Message, call: Call | None) -> Found:
        declared, asked = self.session.client_capabilities, self.session.initialize
        if call is None or call.requester != SERVER or declared is None or asked is None:
            return
        needed = NEEDED[call.method]
        experimental = declared.get("experimental")
        known = declares(declared, (needed,)) or (isinstance(experimental, dict) and needed in experimental)
        if message.has_result and not message.has_error and not known:
            text = f"{call.method} is served, and record {asked.seq} does not declare {needed}"
            revisions = [r for r in LEGACY if REQUESTS[call.method].defined_in(r)]
            yield self.found(message, text, related=[call.seq, asked.seq], fault=needed, only_in=revisions)
