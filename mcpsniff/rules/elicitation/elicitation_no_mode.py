"""The client declares elicitation in no mode."""

from typing import Any

from mcpsniff.protocol.revisions import LEGACY, META_CLIENT_CAPABILITIES, MODERN
from mcpsniff.protocol.session import Session
from mcpsniff.protocol.shape import Shape
from mcpsniff.rules.rule import CLIENT, CONTEXTUAL, Call, Found, Message, Rule, quote
from mcpsniff.rules.when import by_client, meta_alone, when

MODES = ("form", "url")


def _declares(shape: Shape, session: Session) -> bool:
    """Whether it says what its client is able to do."""
    return shape.method == "initialize" or META_CLIENT_CAPABILITIES in shape.meta


class ElicitationNoMode(Rule):
    """`elicitation` in the client's capabilities has members, but neither `form` nor `url`.

    ## Why it matters
    Servers cannot ask anything.

    ## How to fix
    Declare `form`, `url` or both; an empty object means form.

    ## When it stays silent
    Unknown members beside a known mode. Before 2025-11-25 there were no modes.
    """

    title = "Client declares elicitation without any supported mode"
    tier = 2
    violator = CLIENT
    confidence = CONTEXTUAL
    since = "2025-11-25"
    spec = {"2025-11-25": "client/elicitation#capabilities"}

    @when(by_client, _declares, once=meta_alone)
    def on_request(self, message: Message, call: Call) -> Found:
        if message.sender != CLIENT:
            return
        first = message.method == "initialize"
        held = message.params if first else message.meta
        name = "capabilities" if first else META_CLIENT_CAPABILITIES
        if _has_no_mode(held.get(name)):
            text = f"elicitation is declared as {quote(held[name]['elicitation'])}"
            yield self.found(message, text, only_in=LEGACY if first else (MODERN,))


def _has_no_mode(capabilities: Any) -> bool:
    value = capabilities.get("elicitation") if isinstance(capabilities, dict) else None
    return isinstance(value, dict) and bool(value) and not any(mode in value for mode in MODES)
