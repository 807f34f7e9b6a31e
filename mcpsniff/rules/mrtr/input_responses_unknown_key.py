"""Answers to questions that nobody asked."""

from mcpsniff.rules.rule import CLIENT, CONTEXTUAL, INFO, Call, Found, Message, Rule, quote
from mcpsniff.rules.when import has, when


class InputResponsesUnknownKey(Rule):
    """A retry has an entry in `inputResponses` that no question of this call has.

    ## Why it matters
    Servers ignore it: a misspelled key is an answer that never arrives.

    ## How to fix
    Copy the keys of `inputRequests`.

    ## When it stays silent
    Answers of earlier rounds of the same call are harmless. A request that fits a question only by chance is a new
    call.
    """

    title = "Retry carries response keys nobody asked for"
    tier = 2
    severity = {"2026-07-28": INFO}
    violator = CLIENT
    confidence = CONTEXTUAL
    since = "2026-07-28"
    spec = {"2026-07-28": "basic/patterns/mrtr#inputresponses"}

    @when(has("inputResponses"))
    def on_request(self, message: Message, call: Call) -> Found:
        leg, answers = call.leg, message.params.get("inputResponses")
        if leg is None or not leg.surely_meant(message) or not isinstance(answers, dict):
            return
        strange = sorted(set(answers) - leg.asked)
        if strange:
            text = f"inputResponses answers {quote(strange[0], 40)}, which record {leg.seq} does not ask for"
            yield self.found(message, text, related=[leg.seq], where="/params/inputResponses")
