"""Capabilities of the wrong type."""

import re

from mcpsniff.protocol.revisions import LEGACY
from mcpsniff.protocol.schema import REQUESTS, RESULTS, Flaw, Unjudged, faults
from mcpsniff.rules.rule import ERROR, Call, Found, Message, Rule, quote

ELSEWHERE = {LEGACY[0]: re.compile(r"(?!/(params|result)/capabilities/)")}
SHOWN = 3  # flaws named in one finding


class CapabilitiesInvalid(Rule):
    """A capability that the revision defines is not of the type that the revision gives it.

    ## Why it matters
    Typed peers refuse the handshake; loose ones take `"sampling": false` for a declaration.

    ## How to fix
    A capability is an object, `{}` where there is nothing to say; `listChanged` and `subscribe` are booleans. What is
    not supported is left out.

    ## When it stays silent
    Capabilities that the revision does not define are free.
    """

    title = "A known capability has the wrong JSON type"
    tier = 2
    severity = {"2024-11-05": ERROR}
    until = LEGACY[-1]
    spec = {"2024-11-05": "basic/lifecycle#capability-negotiation"}
    methods = ("initialize",)

    def on_request(self, message: Message, call: Call) -> Found:
        yield from self._judge(message, REQUESTS, {"params": message.params})

    def on_answer(self, message: Message, call: Call | None) -> Found:
        if message.has_result and not message.has_error:
            yield from self._judge(message, RESULTS, {"result": message.result})

    def _judge(self, message: Message, table: str, body: dict[str, object]) -> Found:
        try:
            found = faults(table, "initialize", None, body, ELSEWHERE)
        except Unjudged as why:
            yield self.unchecked(str(why))
            return
        for flaws, revisions in found.items():
            text = "; ".join(_said(flaw) for flaw in flaws[:SHOWN])
            yield self.found(message, text, where=flaws[0].where, only_in=revisions)


def _said(flaw: Flaw) -> str:
    return quote(str(flaw).removeprefix("/params/").removeprefix("/result/"), 200)
