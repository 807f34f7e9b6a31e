"""Arrays without messages."""

from mcpsniff.protocol.revisions import BATCHES
from mcpsniff.rules.rule import ERROR, Found, Message, Rule


class BatchEmpty(Rule):
    """An empty array was sent in the place of a batch or of the answer to one.

    ## Why it matters
    JSON-RPC has no batch without messages: the receiver must answer with an error.

    ## How to fix
    Send nothing where there is nothing to say, also after a batch that held notifications alone.

    ## When it stays silent
    For empty arrays inside params and results, and in revisions without batches: batch-not-allowed says it there.
    """

    title = "Empty array sent as a batch or as a batch reply"
    tier = 2
    severity = {"2025-03-26": ERROR}
    since = until = "2025-03-26"
    spec = {"2025-03-26": "https://www.jsonrpc.org/specification#batch"}

    def on_batch(self, message: Message) -> Found:
        if next(iter(message.elements()), None) is None:
            yield self.found(message, "an array without messages", only_in=BATCHES)
