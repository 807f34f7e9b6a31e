"""Handshakes in an array."""

from mcpsniff.protocol.message import Kind
from mcpsniff.protocol.revisions import LEGACY
from mcpsniff.rules.rule import CLIENT, ERROR, Found, Message, Rule


class InitializeInBatch(Rule):
    """The initialize request stands in an array, alone or with others.

    ## Why it matters
    Before initialize is answered nobody knows whether the other side takes arrays: servers refuse the whole.

    ## How to fix
    Send initialize on its own and wait for the answer.

    ## When it stays silent
    Other requests may be batched once 2025-03-26 is agreed on.
    """

    title = "initialize was sent inside a batch"
    tier = 2
    severity = {"2024-11-05": ERROR}
    until = "2025-11-25"
    violator = CLIENT
    spec = {"2024-11-05": "basic/lifecycle#initialization"}

    def on_batch(self, message: Message) -> Found:
        elements = list(message.elements()) if message.sender == CLIENT else []
        if any(element.kind is Kind.REQUEST and element.method == "initialize" for element in elements):
            yield self.found(message, f"initialize stands in an array of {len(elements)}", only_in=LEGACY)
