"""Mirrored headers that say something else than the body."""

from mcpsniff.protocol.mirror import DIFFERS
from mcpsniff.rules.echoes import MIRRORED
from mcpsniff.rules.rule import CLIENT, ERROR, Call, Found, Message, Rule, quote


class HeaderBodyMismatch(Rule):
    """A header that mirrors the body of a modern request differs from it.

    ## Why it matters
    What a gateway let through is not what the server would do; servers have to refuse the request.

    ## How to fix
    Set MCP-Protocol-Version, Mcp-Method and Mcp-Name from the body that is sent, in the same case. Where a gateway
    rewrites them, look at its other side: a capture shows one hop.

    ## When it stays silent
    White space around a value is none of it, and base64 between `=?base64?` and `?=` is decoded before comparing. A
    header sent twice, base64 that does not decode, and values that needed base64 have rules of their own, and so have
    Mcp-Param headers.
    """

    title = "A mirrored header differs from the body"
    severity = {"2026-07-28": ERROR}
    since = "2026-07-28"
    violator = CLIENT
    transport = "http"
    spec = {"2026-07-28": "basic/transports/streamable-http#server-validation"}
    by_value = True
    values = MIRRORED

    def on_request(self, message: Message, call: Call) -> Found:
        for fault in call.header_faults:
            if fault.kind == DIFFERS and not fault.of_param:
                text = f'{fault.header} says "{quote(fault.sent)}", the body "{quote(fault.body)}"'
                where = fault.header
                yield self.found(
                    message.exchange, text, related=[message.seq], mark=message.mark, fault=where, where=where
                )
