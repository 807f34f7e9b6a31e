"""A retry does not give back the requestState as it was."""

from mcpsniff.rules.rule import CLIENT, CONTEXTUAL, Call, Found, Message, Rule, quote


class RequestStateAltered(Rule):
    """A retry carries another requestState than the server issued.

    ## Why it matters
    The state is the server's; changed, it cannot be read or fails its signature, and the call starts over.

    ## How to fix
    Send back the decoded string unchanged: no trimming, no decoding, no new encoding.

    ## When it stays silent
    Another JSON spelling of the same string is the same. A state of an earlier round is right where the answers are
    for that round, too: a user may go back after a failure. Without the beginning of the session nothing can be said.
    """

    id = "request-state-altered"
    title = "requestState was not echoed as issued"
    yields_to = ("request-state-cross-request",)
    violator = CLIENT
    since = "2026-07-28"
    spec = {"2026-07-28": "basic/patterns/mrtr#client-requirements-basic-workflow"}

    def on_request(self, message: Message, call: Call) -> Found:
        leg, state = call.leg, message.params.get("requestState")
        if leg is None or leg.state is None or not isinstance(state, str) or state == leg.state:
            return
        if not leg.common_keys(message) or not leg.same_arguments(message):
            return
        if not self.session.whole or self.session.legs.states.dropped:
            yield self.unchecked("the capture does not hold every state that was issued")
            return
        known = (call.method, call.target, state) in self.session.legs.states
        what = "is that of another round" if known else "was never issued"
        text = f"requestState {quote(state, 40)} {what}; record {leg.seq} issued {quote(leg.state, 40)}"
        yield self.found(message, text, related=[leg.seq], where="/params/requestState")


class RequestStateDropped(Rule):
    """A retry answers the inputs and leaves out the requestState that came with them.

    ## Why it matters
    The server keeps nothing between the legs; without the state it cannot go on and must ask again.

    ## How to fix
    Send `requestState` along with `inputResponses`, unchanged, whenever the result had one.

    ## When it stays silent
    A call without inputResponses starts over, which is allowed. Where another open question with the same keys had no
    state, the retry may be meant for that one.
    """

    id = "request-state-dropped"
    title = "Retry leaves out the requestState it had to echo"
    violator = CLIENT
    confidence = CONTEXTUAL
    since = "2026-07-28"
    spec = {"2026-07-28": "basic/patterns/mrtr#client-requirements-basic-workflow"}

    def on_request(self, message: Message, call: Call) -> Found:
        leg = call.leg
        if leg is None or leg.state is None or leg.retried or "requestState" in message.params:
            return
        if not leg.common_keys(message):
            return
        others = [other for other in self.session.legs.waiting() if other.state is None and other.fits(message)]
        if not any(other.common_keys(message) for other in others):
            text = f"the retry has no requestState; record {leg.seq} issued {quote(leg.state, 40)}"
            yield self.found(message, text, related=[leg.seq], where="/params/requestState")
