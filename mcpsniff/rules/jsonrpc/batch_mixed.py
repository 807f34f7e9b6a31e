"""Arrays of requests and responses together."""

from mcpsniff.protocol.message import ANSWERS, Kind
from mcpsniff.protocol.revisions import BATCHES
from mcpsniff.rules.rule import ERROR, Found, Message, Rule

ASKING = frozenset((Kind.REQUEST, Kind.NOTIFICATION))
SHOWN = 8  # kinds named in the finding


class BatchMixed(Rule):
    """One batch holds responses beside requests or notifications.

    ## Why it matters
    A batch is either asked or answered. Receivers that look at the first element misread the rest.

    ## How to fix
    Send responses in an array of their own.

    ## When it stays silent
    Requests and notifications may share a batch. Revisions without batches have batch-not-allowed.
    """

    title = "One batch mixes responses with requests or notifications"
    tier = 2
    severity = {"2025-03-26": ERROR}
    since = until = "2025-03-26"
    spec = {"2025-03-26": "basic/transports#sending-messages-to-the-server"}

    def on_batch(self, message: Message) -> Found:
        kinds = [element.kind for element in message.elements()]
        if not ANSWERS.isdisjoint(kinds) and not ASKING.isdisjoint(kinds):
            shown = ", ".join(kind.value for kind in kinds[:SHOWN])
            yield self.found(message, f"one batch of {len(kinds)} holds {shown}", only_in=BATCHES)
