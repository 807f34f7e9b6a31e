"""Progress tokens that are in use."""

from mcpsniff.rules.echoes import CANCELLATIONS
from mcpsniff.rules.rule import ERROR, Call, Found, Message, Rule
from mcpsniff.rules.when import when, with_token


class ProgressTokenDuplicate(Rule):
    """A request carries the progress token of another request that still waits for its answer.

    ## Why it matters
    Progress names the token alone: it can be for either of the two.

    ## How to fix
    Give each request a token of its own; its id will do.

    ## When it stays silent
    A token is free again once its request is answered, cancelled or refused, or its stream is closed. Each side counts
    for itself, and "1" is not 1. A request with a used id has a rule of its own.
    """

    title = "progressToken is already in use by another active request"
    tier = 2
    severity = {"2024-11-05": ERROR}
    spec = {
        "2024-11-05": "basic/utilities/progress#progress-flow",
        "2026-07-28": "basic/patterns/progress#progress-flow",
    }
    yields_to = ("request-id-reused", "retry-id-reused", "reissue-same-id")
    echoes = CANCELLATIONS

    @when(with_token)
    def on_request(self, message: Message, call: Call) -> Found:
        if call.token is None or not call.token.legal:
            return
        holder = self.session.calls.token_holder(message, call.token)
        if holder is not None:
            text = f"token {call.token} is that of request {holder.id}, which waits for its answer"
            yield self.found(message, text, related=[holder.seq], where="/params/_meta/progressToken")
