"""A server that takes any state."""

from mcpsniff.protocol.revisions import is_complete
from mcpsniff.rules.rule import ERROR, HEURISTIC, SERVER, Call, Found, Message, Rule
from mcpsniff.rules.when import has, odd, when

from ._state import altered, foreign


class TamperedStateAccepted(Rule):
    """The server completes a call whose requestState had been changed, or belongs to another call.

    ## Why it matters
    What stands in the state is the client's word: who may do what, and on which object, must not rest on it.

    ## How to fix
    Sign the state together with user, method and target, and refuse what does not verify.

    ## When it stays silent
    A state that is sent twice is legal. A server may do without protection where a changed state can cause nothing but
    a failure; that the wire does not show.
    """

    title = "Server accepted a requestState that had been changed"
    tier = 3
    severity = {"2026-07-28": ERROR}
    violator = SERVER
    confidence = HEURISTIC
    since = "2026-07-28"
    spec = {"2026-07-28": "basic/patterns/mrtr#server-requirements-basic-workflow"}
    by_value = True

    @when(has("requestState"))
    def on_request(self, message: Message, call: Call) -> Found:
        self.stir(awake=True)
        yield from ()

    @when(odd, awake=True)
    def on_answer(self, message: Message, call: Call | None) -> Found:
        if call is None or message.sender != SERVER or not message.has_result or message.has_error:
            return
        if not is_complete(message.result) or not self.session.whole:
            return
        leg = foreign(self.session, call) or (call.leg if altered(call) else None)
        if leg is not None:
            text = f"{call.method} is completed with another requestState than record {leg.seq} issued"
            yield self.found(message, text, related=[call.seq, leg.seq])
