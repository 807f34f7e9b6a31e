"""Requests that do not name their method in a header."""

from mcpsniff.protocol.mirror import METHOD, MISSING
from mcpsniff.rules.rule import CLIENT, ERROR, Call, Found, Message, Rule


class MissingHeaderMcpMethod(Rule):
    """The POST of a modern request has no Mcp-Method header.

    ## Why it matters
    Gateways route and limit by this header without reading bodies; servers have to refuse the request.

    ## How to fix
    Send `Mcp-Method` with the value of `method`, in the same case.

    ## When it stays silent
    Notifications, for which this revision leaves the headers open.
    """

    title = "POST lacks the Mcp-Method header"
    severity = {"2026-07-28": ERROR}
    since = "2026-07-28"
    violator = CLIENT
    transport = "http"
    spec = {"2026-07-28": "basic/transports/streamable-http#standard-request-headers"}

    def on_request(self, message: Message, call: Call) -> Found:
        for fault in call.header_faults:
            if fault.header == METHOD and fault.kind == MISSING:
                text = f"{message.method} without {METHOD}"
                yield self.found(message.exchange, text, related=[message.seq], mark=message.mark, where=METHOD)
