"""A retry does not give back the requestState as it was."""

from mcpsniff.protocol.mrtr import Leg
from mcpsniff.protocol.revisions import INPUT_REQUIRED, MODERN, REQUESTS
from mcpsniff.rules.echoes import REQUEST_STATES
from mcpsniff.rules.rule import CLIENT, CONTEXTUAL, ERROR, Call, Found, Message, Rule, quote
from mcpsniff.rules.when import by_client, has, retry, when

from ._state import UNSEEN, altered, foreign, state_of, unseen

ONCE = tuple(  # methods that are never asked back, so that there is nothing to answer
    name
    for name, method in REQUESTS.items()
    if method.defined_in(MODERN) and CLIENT in method.senders and name not in (*INPUT_REQUIRED, "tasks/update")
)


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
    by_value = True
    echoes = REQUEST_STATES

    @when(has("requestState"))
    def on_request(self, message: Message, call: Call) -> Found:
        leg, state = call.leg, state_of(call)
        if state is None or not altered(call):
            return
        if unseen(self.session):
            yield self.unchecked(UNSEEN)
            return
        what = "is that of another round" if self.session.legs.knows(call, state) else "was never issued"
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
    state, the retry may be meant for that one; without the beginning of the session there may be such a one.
    """

    id = "request-state-dropped"
    title = "Retry leaves out the requestState it had to echo"
    violator = CLIENT
    confidence = CONTEXTUAL
    since = "2026-07-28"
    spec = {"2026-07-28": "basic/patterns/mrtr#client-requirements-basic-workflow"}

    @when(retry)
    def on_request(self, message: Message, call: Call) -> Found:
        leg = call.leg
        if leg is None or leg.state is None or leg.retried or "requestState" in message.params:
            return
        if not leg.common_keys(message):
            return
        others = [other for other in self.session.legs.waiting() if other.state is None and other.fits(message)]
        if any(other.common_keys(message) for other in others):
            return
        if unseen(self.session):
            yield self.unchecked(UNSEEN)
        else:
            text = f"the retry has no requestState; record {leg.seq} issued {quote(leg.state, 40)}"
            yield self.found(message, text, related=[leg.seq], where="/params/requestState")


class RequestStateInvented(Rule):
    """A retry carries a requestState although the result that it answers had none.

    ## Why it matters
    Each retry answers the latest result alone; the server may take the state for that of another round, or refuse it.

    ## How to fix
    Take `requestState` from the latest `input_required` result; where that has none, send none.

    ## When it stays silent
    Where another open question of the same call did issue this state, the retry may be meant for that one; without the
    beginning of the session there may be such a one.
    """

    id = "request-state-invented"
    title = "Retry carries a requestState although the answered leg had none"
    tier = 2
    severity = {"2026-07-28": ERROR}
    yields_to = ("request-state-cross-request",)
    violator = CLIENT
    confidence = CONTEXTUAL
    since = "2026-07-28"
    spec = {"2026-07-28": "basic/patterns/mrtr#client-requirements-basic-workflow"}
    by_value = True
    echoes = REQUEST_STATES

    @when(has("requestState"))
    def on_request(self, message: Message, call: Call) -> Found:
        state, leg = state_of(call), self._answered(message, call)
        if state is None or leg is None:
            return
        if any(other.fits(message) and other.state == state for other in self.session.legs.waiting()):
            return
        if unseen(self.session):
            yield self.unchecked(UNSEEN)
            return
        text = f"the retry carries requestState {quote(state, 40)}; record {leg.seq}, which it answers, issued none"
        yield self.found(message, text, related=[leg.seq], where="/params/requestState")

    def _answered(self, message: Message, call: Call) -> Leg | None:
        """Gives the latest leg of the chain, where it has no state and its questions are answered."""
        leg: Leg | None = call.leg
        if leg is None:
            return None
        chain = [other for other in self.session.legs.waiting() if other.root == leg.root]
        latest = max((leg, *chain), key=lambda one: one.seq)
        return latest if latest.state is None and latest.common_keys(message) else None


class RequestStateCrossRequest(Rule):
    """A request carries the requestState of another call, or answers to questions that it cannot have been asked.

    ## Why it matters
    At best the server refuses the state; at worst it goes on with what belongs to another call.

    ## How to fix
    Keep the state with the call that it came for: same method, same tool, prompt or URI.

    ## When it stays silent
    Other arguments for the same target are retry-params-changed. A state that was never seen may have been issued out
    of sight, and so may one that two calls share. tasks/update has inputResponses of its own.
    """

    id = "request-state-cross-request"
    title = "requestState or inputResponses were attached to another request"
    tier = 2
    severity = {"2026-07-28": ERROR}
    violator = CLIENT
    since = "2026-07-28"
    spec = {"2026-07-28": "basic/patterns/mrtr#client-requirements-basic-workflow"}

    @when(by_client, has("requestState", "inputResponses"))
    def on_request(self, message: Message, call: Call) -> Found:
        if message.sender != CLIENT:
            return
        leg = foreign(self.session, call)
        if leg is not None and unseen(self.session):
            yield self.unchecked(UNSEEN)
        elif leg is not None:
            of = f"{leg.call.method} {quote(leg.call.target or '')}".rstrip()
            text = f"the requestState was issued by record {leg.seq} for {of}"
            yield self.found(message, text, related=[leg.seq], where="/params/requestState")
        elif message.method in ONCE and "inputResponses" in message.params:
            text = f"{message.method} never asks for input, and carries inputResponses"
            yield self.found(message, text, where="/params/inputResponses", fault="answers")
