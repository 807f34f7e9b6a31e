"""The server uses an elicitation mode that the client did not declare."""

from collections.abc import Mapping
from typing import Any

from mcpsniff.protocol.mrtr import input_requests
from mcpsniff.protocol.revisions import elicitation_modes
from mcpsniff.protocol.schema import pointer
from mcpsniff.rules.rule import SERVER, Call, Found, Message, Rule


class ElicitationModeUndeclared(Rule):
    """The server asks in form or URL mode, and the client declared only the other one.

    ## Why it matters
    The client cannot show the question and answers with an error.

    ## How to fix
    Look at `capabilities.elicitation`: an empty object means form alone, else the keys `form` and `url` count.

    ## When it stays silent
    Where the client declares no elicitation at all, that is undeclared-client-feature-used. Before 2025-11-25 there
    was one mode.
    """

    title = "Server used an elicitation mode that the client did not declare"
    violator = SERVER
    since, until = "2025-11-25", "2025-11-25"
    spec = {"2025-11-25": "client/elicitation#capabilities"}
    methods = ("elicitation/create",)

    def on_request(self, message: Message, call: Call) -> Found:
        asked, declared = self.session.initialize, self.session.client_capabilities
        mode = _undeclared([declared] if declared is not None else [], message.params)
        if message.sender == SERVER and mode is not None and asked is not None:
            text = f"elicitation in {mode} mode, which record {asked.seq} does not declare"
            yield self.found(message, text, related=[asked.seq], where="/params/mode")


class ElicitationEntryModeUndeclared(Rule):
    """In 2026-07-28 the capabilities of the very request count."""

    id = "elicitation-mode-undeclared"
    title = ElicitationModeUndeclared.title
    violator = SERVER
    since = "2026-07-28"
    spec = ElicitationModeUndeclared.spec

    def on_answer(self, message: Message, call: Call | None) -> Found:
        declared = self.session.declared_for(call) if call is not None else None
        if call is None or declared is None:
            return
        for key, entry in input_requests(message).items():
            params = entry.get("params") if isinstance(entry, dict) else None
            if isinstance(params, dict) and entry.get("method") == "elicitation/create":
                mode = _undeclared(declared, params)
                if mode is not None:
                    text = f"elicitation in {mode} mode, which record {call.seq} does not declare"
                    where = pointer("result", "inputRequests", key)
                    yield self.found(message, text, related=[call.seq], where=where)


def _undeclared(declared: list[dict[str, Any]], params: dict[str, Any]) -> str | None:
    """Gives the mode that is used and declared nowhere; None where elicitation is not declared at all."""
    mode = params.get("mode", "form")
    if mode not in ("form", "url") or not any(isinstance(one.get("elicitation"), Mapping) for one in declared):
        return None
    return None if any(mode in elicitation_modes(one) for one in declared) else str(mode)
