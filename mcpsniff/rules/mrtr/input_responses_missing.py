"""A retry does not answer everything that was asked."""

from mcpsniff.rules.rule import CLIENT, Call, Found, Message, Rule, quote


class InputResponsesMissing(Rule):
    """A retry has no answer to one of the requested inputs.

    ## Why it matters
    The server has to ask again: one round trip more, or no end.

    ## How to fix
    Give an entry in `inputResponses` for every key of `inputRequests`; a user who declines is an answer, too.

    ## When it stays silent
    A result with a requestState alone asks nothing. A request that fits a question only by chance (neither its state
    nor one of its keys) is a new call.
    """

    title = "Retry lacks a response for a requested input"
    violator = CLIENT
    since = "2026-07-28"
    spec = {"2026-07-28": "basic/patterns/mrtr#client-requirements-basic-workflow"}

    def on_request(self, message: Message, call: Call) -> Found:
        leg = call.leg
        if leg is None or not leg.surely_meant(message):
            return
        answers = message.params.get("inputResponses", {})
        missing = sorted(leg.keys - set(answers)) if isinstance(answers, dict) else []
        if missing:
            names = ", ".join(quote(key, 40) for key in missing[:5])
            text = f"the retry does not answer {names}, which record {leg.seq} asks for"
            yield self.found(message, text, related=[leg.seq], where="/params/inputResponses")
