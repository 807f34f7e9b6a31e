"""The base of rules that name one kind of fault of mirrored headers."""

from typing import ClassVar

from mcpsniff.rules.rule import CLIENT, ERROR, Call, Found, Message, Rule, quote


class FaultyHeader(Rule):
    """Reports each header of a request that has one kind of fault."""

    tier = 2
    severity = {"2026-07-28": ERROR}
    since = "2026-07-28"
    violator = CLIENT
    transport = "http"
    kind: ClassVar[str]  # of mirror.Fault
    params: ClassVar[bool | None] = None  # Mcp-Param headers only, the others only, or all
    says: ClassVar[str]  # sentence with {header}, {sent} and {body}

    def on_request(self, message: Message, call: Call) -> Found:
        for fault in call.header_faults:
            if fault.kind == self.kind and self.params in (None, fault.of_param):
                text = self.says.format(header=quote(fault.header), sent=quote(fault.sent), body=quote(fault.body))
                draft = self.found(message.exchange, text, related=[message.seq], mark=message.mark)
                draft.fault, draft.where = fault.header, fault.header
                yield draft
