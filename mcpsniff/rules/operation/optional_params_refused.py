"""Servers that insist on params which may be left out."""

import re

from mcpsniff.protocol.lifecycle import Phase
from mcpsniff.protocol.message import Kind
from mcpsniff.protocol.revisions import INVALID_PARAMS, INVALID_REQUEST, LISTS
from mcpsniff.rules.rule import CONTEXTUAL, SERVER, WARNING, Call, Draft, Found, Message, Rule, Session, quote

NAMED = re.compile(r"\bparam(eter)?s\b", re.IGNORECASE)


class OptionalParamsRefused(Rule):
    """A request without `params`, where they are optional, was refused for their absence.

    ## Why it matters
    Half of the clients leave an empty `params` out; with this server they fail at the first list.

    ## How to fix
    Treat absent `params` as an empty object.

    ## When it stays silent
    Before the handshake is done, and from 2026-07-28 on, where every request has `params`. The error must name the
    params, or the same method with an empty object must succeed later.
    """

    title = "Server refuses a request without its optional params"
    tier = 2
    severity = {"2024-11-05": WARNING}
    until = "2025-11-25"
    violator = SERVER
    confidence = CONTEXTUAL
    spec = {"2024-11-05": "basic/messages#requests", "2025-03-26": "basic/index#requests"}
    methods = ("ping", *LISTS)

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._refused: dict[str, tuple[Message, Call]] = {}  # by method

    def on_answer(self, message: Message, call: Call | None) -> Found:
        if call is None or (self.session.whole and self.session.phase is not Phase.READY):
            return
        if message.kind is Kind.RESULT:
            refusal = self._refused.pop(call.method, None)
            if refusal is not None and call.request.raw_params == {}:
                yield self._draft(*refusal, f"; with an empty object it succeeded in record {call.seq}", call.seq)
        elif message.code in (INVALID_REQUEST, INVALID_PARAMS) and not call.request.has_params:
            if NAMED.search(str(message.error.get("message"))):
                yield self._draft(message, call, "", None)
            else:
                self._refused.setdefault(call.method, (message, call))

    def _draft(self, message: Message, call: Call, proof: str, record: int | None) -> Draft:
        words = quote(message.error.get("message"))
        text = f'{call.method} without params was refused with "{words}"{proof}'
        return self.found(message, text, related=[call.seq, record], violator=message.sender, fault=call.method)
