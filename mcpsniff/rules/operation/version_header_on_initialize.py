"""The version header where it has no meaning yet."""

from mcpsniff.protocol.message import CLIENT
from mcpsniff.rules.rule import INFO, Call, Found, Message, Rule, quote


class VersionHeaderOnInitialize(Rule):
    """`initialize` was sent with an MCP-Protocol-Version header.

    ## Why it matters
    The header tells the negotiated version, and nothing is negotiated yet; some servers refuse such a request.

    ## How to fix
    Send the header from the first request after the handshake on.

    ## When it stays silent
    From 2026-07-28 on every request has it.
    """

    title = "MCP-Protocol-Version sent on initialize"
    tier = 2
    severity = {"2024-11-05": INFO}
    until = "2025-11-25"
    violator = CLIENT
    transport = "http"
    spec = {"2024-11-05": "basic/transports", "2025-06-18": "basic/transports#protocol-version-header"}
    methods = ("initialize",)

    def on_request(self, message: Message, call: Call) -> Found:
        version = None if call.exchange is None else call.exchange.version
        if version is not None:
            text = f"initialize carries MCP-Protocol-Version {quote(version, 40)}"
            yield self.found(message, text, where="MCP-Protocol-Version")
