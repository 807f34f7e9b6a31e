"""Calls of tools that had to be dropped."""

from mcpsniff.protocol.mirror import posted
from mcpsniff.rules.echoes import TOOLS
from mcpsniff.rules.rule import CLIENT, CONTEXTUAL, ERROR, Call, Found, Message, Rule, quote


class RejectedToolCalled(Rule):
    """The client called a tool whose definition has an invalid `x-mcp-header`.

    ## Why it matters
    Which headers such a call needs is not defined; the server may refuse it, or a gateway pass it by.

    ## How to fix
    Leave the tool out of the list, and tell the user why.

    ## When it stays silent
    Clients that never got the list, or were told that it changed; a list that was corrected; stdio.
    """

    title = "Client called a tool it had to reject for an invalid x-mcp-header"
    tier = 2
    severity = {"2026-07-28": ERROR}
    since = "2026-07-28"
    violator = CLIENT
    transport = "http"
    spec = {"2026-07-28": "basic/transports/streamable-http#schema-extension"}
    confidence = CONTEXTUAL
    methods = ("tools/call",)
    echoes = TOOLS

    def on_request(self, message: Message, call: Call) -> Found:
        tool = self.session.lists.known_tool(call.target)
        if posted(message) is not None and tool is not None and tool.annotated.faulty:
            annotation, why = tool.annotated.faulty[0]
            text = f'"{quote(call.target)}" was called; its x-mcp-header {quote(annotation.value, 40)} {quote(why)}'
            yield self.found(message, text, related=[tool.seq], fault=call.target or "")
