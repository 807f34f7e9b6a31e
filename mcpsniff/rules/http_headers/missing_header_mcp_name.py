"""Requests that do not name their tool, prompt or resource in a header."""

from mcpsniff.protocol.mirror import MISSING, NAME
from mcpsniff.rules.rule import CLIENT, ERROR, Call, Found, Message, Rule, quote


class MissingHeaderMcpName(Rule):
    """The POST of a tools/call, prompts/get or resources/read has no Mcp-Name header.

    ## Why it matters
    Gateways route and limit by this header without reading bodies; servers have to refuse the request.

    ## How to fix
    Send `Mcp-Name` with `params.name`, or `params.uri` of resources/read; in base64 where it does not fit a header.

    ## When it stays silent
    Other methods need none. An empty header is there, and mirrors an empty name.
    """

    title = "POST lacks the Mcp-Name header where it is required"
    severity = {"2026-07-28": ERROR}
    since = "2026-07-28"
    violator = CLIENT
    transport = "http"
    spec = {"2026-07-28": "basic/transports/streamable-http#standard-request-headers"}

    def on_request(self, message: Message, call: Call) -> Found:
        for fault in call.header_faults:
            if fault.header == NAME and fault.kind == MISSING:
                text = f'{message.method} of "{quote(fault.body)}" without {NAME}'
                yield self.found(message.exchange, text, related=[message.seq], mark=message.mark, where=NAME)
