"""A retry does not answer everything that was asked, and what the server makes of it."""

import re

from mcpsniff.protocol.mrtr import Leg
from mcpsniff.protocol.revisions import METHOD_NOT_FOUND, MODERN_CODES
from mcpsniff.rules.rule import CLIENT, HEURISTIC, SERVER, WARNING, Call, Found, Message, Rule, quote
from mcpsniff.rules.when import error, retry, when

SHOWN = 5  # keys
OTHER_CAUSES = MODERN_CODES | {METHOD_NOT_FOUND}
_OTHER_CAUSE = re.compile(r"state|expired|signature|tamper", re.IGNORECASE)


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

    id = "input-responses-missing"
    title = "Retry lacks a response for a requested input"
    violator = CLIENT
    since = "2026-07-28"
    spec = {"2026-07-28": "basic/patterns/mrtr#client-requirements-basic-workflow"}

    @when(retry)
    def on_request(self, message: Message, call: Call) -> Found:
        leg, missing = _missing(call)
        if leg is not None and missing:
            text = f"the retry does not answer {_named(missing)}, which record {leg.seq} asks for"
            yield self.found(message, text, related=[leg.seq], where="/params/inputResponses")


class MissingInputErrored(Rule):
    """The server fails a retry that lacks an answer instead of asking again.

    ## Why it matters
    The call is lost for one answer, where one round trip more would have brought it.

    ## How to fix
    Answer with `input_required` again, naming what is still missing.

    ## When it stays silent
    A tool's own error result, errors about something else (the state, the version, a capability), and answers that
    cannot be read at all.
    """

    id = "missing-input-errored"
    title = "Server failed a retry with missing input instead of asking again"
    tier = 3
    severity = {"2026-07-28": WARNING}
    violator = SERVER
    confidence = HEURISTIC
    since = "2026-07-28"
    spec = {"2026-07-28": "basic/patterns/mrtr#error-handling"}
    by_value = True

    @when(error, retry)
    def on_answer(self, message: Message, call: Call | None) -> Found:
        if call is None or not message.has_error or message.code in OTHER_CAUSES:
            return
        leg, missing = _missing(call)
        if leg is not None and missing and not _OTHER_CAUSE.search(str(message.error.get("message"))):
            text = f"error {message.code} to a retry that does not answer {_named(missing)}; asking again is the way"
            yield self.found(message, text, related=[call.seq, leg.seq])


def _missing(call: Call) -> tuple[Leg | None, list[str]]:
    """Gives the leg that a request surely retries, and the keys that it leaves unanswered."""
    leg: Leg | None = call.leg
    sure = leg is not None and leg.surely_meant(call.request)
    return (leg, leg.unanswered(call.request)) if leg is not None and sure else (None, [])


def _named(keys: list[str]) -> str:
    return ", ".join(quote(key, 40) for key in keys[:SHOWN])
