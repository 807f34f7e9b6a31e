"""A rejected sampling request has another error code."""

import re

from mcpsniff.protocol.inputs import InputResponse
from mcpsniff.rules.rule import CLIENT, CONTEXTUAL, INFO, WARNING, Found, Message, Rule, quote

from ._history import CREATE

REJECTED = re.compile(r"\b(reject|declin|denied|deni|refus|disallow|not (?:allow|approv|permit))", re.IGNORECASE)
BY = re.compile(r"\b(user|human|person|operator|policy|consent|approv)", re.IGNORECASE)
USER_REJECTED = -1


class SamplingRejectedCode(Rule):
    """The user rejected a sampling request, and the error code is not -1.

    ## Why it matters
    The server cannot tell a "no" from a failure, and asks again.

    ## How to fix
    Answer with code -1 and the message "User rejected sampling request".

    ## When it stays silent
    Only the message tells. Where sampling is not declared, another code is right. Before 2025-11-25 the code stands in
    an example alone: a note.
    """

    title = "User rejection of a sampling request not reported with code -1"
    tier = 2
    severity = {"2024-11-05": INFO, "2025-11-25": WARNING}
    violator = CLIENT
    confidence = CONTEXTUAL
    until = "2025-11-25"
    spec = {"2024-11-05": "client/sampling#error-handling"}
    methods = (CREATE,)
    by_value = True

    def on_input_response(self, message: Message, response: InputResponse) -> Found:
        told = response.error.get("message")
        if response.code == USER_REJECTED or not isinstance(told, str):
            return
        if REJECTED.search(told) and BY.search(told) and response.request.declares("sampling"):
            text = f"{quote(told)} with code {quote(response.code)}, not -1"
            yield self.found(message, text, related=[response.request.seq])
