"""The client uses a server feature that the InitializeResult does not declare."""

from mcpsniff.protocol.revisions import LEGACY, REQUESTS, declares
from mcpsniff.protocol.session import Session
from mcpsniff.protocol.shape import Shape
from mcpsniff.rules.echoes import SERVER_CAPABILITIES
from mcpsniff.rules.rule import CLIENT, ERROR, WARNING, Call, Found, Message, Rule
from mcpsniff.rules.when import by_client, when


def _undeclared(shape: Shape, session: Session) -> bool:
    """Whether the server is known not to declare what the method needs."""
    declared = session.server_capabilities
    return declared is not None and not declares(declared, REQUESTS[shape.method or ""].needs)


class UndeclaredServerFeatureUsed(Rule):
    """A client request needs a capability that the server's InitializeResult does not hold.

    ## Why it matters
    The server need not have the feature at all; most answer -32601, some hang.

    ## How to fix
    Read `capabilities` of the InitializeResult before calling, and leave out what is not there.

    ## When it stays silent
    A capability counts as declared when its key is present with an object or true; null and false do not count.
    Where the InitializeResult was not seen nothing can be said. Completion had no capability in 2024-11-05. A method
    that the revision does not have at all is method-not-in-revision.
    """

    title = "Client used a server feature that the server did not declare"
    severity = {"2024-11-05": WARNING, "2025-06-18": ERROR}
    violator = CLIENT
    until = "2025-11-25"
    spec = {"2024-11-05": "basic/lifecycle#capability-negotiation"}
    methods = tuple(name for name, method in REQUESTS.items() if CLIENT in method.senders and method.needs)
    yields_to = ("method-not-in-revision",)
    echoes = SERVER_CAPABILITIES

    @when(by_client, _undeclared)
    def on_request(self, message: Message, call: Call) -> Found:
        declared = self.session.server_capabilities
        if message.sender != CLIENT or declared is None or self.session.initialize_result is None:
            return
        method = REQUESTS[call.method]
        if not declares(declared, method.needs):
            path = ".".join(method.needs)
            answer = self.session.initialize_result.seq
            text = f"{call.method} needs the server capability {path}, which record {answer} does not declare"
            known = [r for r in LEGACY if r >= method.needs_since and method.defined_in(r)]
            yield self.found(message, text, related=[answer], fault=path, only_in=known)
