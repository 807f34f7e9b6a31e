"""A retry has the id of an earlier leg."""

from mcpsniff.rules.rule import CLIENT, Call, Found, Message, Rule
from mcpsniff.rules.when import retry, when


class RetryIdReused(Rule):
    """A retry after an input_required result carries the id of the first request, or of an earlier retry.

    ## Why it matters
    The retry is a request of its own; servers that remember ids answer with the old result, or not at all.

    ## How to fix
    Take a new id for every leg.

    ## When it stays silent
    A call without inputResponses and requestState is no retry, even with the same arguments. 1 and "1" are two ids.
    """

    title = "Retry after an input_required result reuses the JSON-RPC id"
    violator = CLIENT
    since = "2026-07-28"
    spec = {"2026-07-28": "basic/patterns/mrtr#client-requirements-basic-workflow"}

    @when(retry)
    def on_request(self, message: Message, call: Call) -> Found:
        leg = call.leg
        if leg is not None and leg.surely_meant(message) and call.id.key in leg.ids:
            text = f"the retry has the id {call.id} of an earlier leg; the first request was record {leg.root}"
            yield self.found(message, text, related=[leg.root, leg.seq], where="/id")
