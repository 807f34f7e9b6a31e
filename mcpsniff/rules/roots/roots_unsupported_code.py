"""A client without roots refuses with another code."""

from mcpsniff.protocol.inputs import InputResponse
from mcpsniff.protocol.revisions import METHOD_NOT_FOUND, declares
from mcpsniff.rules.echoes import CLIENT_CAPABILITIES
from mcpsniff.rules.rule import CLIENT, WARNING, Found, Message, Rule


class RootsUnsupportedCode(Rule):
    """A client that declares no roots answers roots/list with another error than -32601.

    ## Why it matters
    The server cannot tell "never" from "not now".

    ## How to fix
    Answer -32601, Method not found.

    ## When it stays silent
    Clients that declare roots may fail with -32603. Where the client's capabilities were not seen nothing can be said.
    """

    title = "Client without roots did not answer roots/list with -32601"
    tier = 2
    severity = {"2024-11-05": WARNING}
    violator = CLIENT
    until = "2025-11-25"
    spec = {"2024-11-05": "client/roots#error-handling"}
    methods = ("roots/list",)
    echoes = CLIENT_CAPABILITIES

    def on_input_response(self, message: Message, response: InputResponse) -> Found:
        request = response.request
        declared = any(declares(one, ("roots",)) for one in request.declared or ())
        if response.refused and request.declared is not None and not declared and response.code != METHOD_NOT_FOUND:
            text = f"roots are not declared, and the error is {response.code}"
            yield self.found(message, text, related=[request.seq, request.declared_seq], where="/error/code")
