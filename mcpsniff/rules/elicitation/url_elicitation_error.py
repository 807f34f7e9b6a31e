"""Error -32042: the user must visit a URL first."""

from typing import Any

from mcpsniff.protocol.revisions import URL_ELICITATION_REQUIRED, elicitation_modes
from mcpsniff.rules.echoes import CLIENT_CAPABILITIES
from mcpsniff.rules.rule import CONTEXTUAL, SERVER, Call, Found, Message, Rule, quote
from mcpsniff.rules.when import error, when

NEEDED = ("elicitationId", "url", "message")  # strings of each entry


class UrlElicitationErrorMalformed(Rule):
    """Error -32042 has no list of URL elicitations in its data, or one that lacks something.

    ## Why it matters
    The client does not know where to send the user.

    ## How to fix
    `"data": {"elicitations": [{"mode": "url", "elicitationId": "…", "url": "https://…", "message": "…"}]}`.

    ## When it stays silent
    Additional members are free. In other revisions the code means nothing special.
    """

    id = "url-elicitation-error-malformed"
    title = "Error -32042 without a proper list of URL elicitations"
    tier = 2
    violator = SERVER
    since, until = "2025-11-25", "2025-11-25"
    spec = {"2025-11-25": "client/elicitation#url-elicitation-required-error"}
    by_value = True

    @when(error)
    def on_answer(self, message: Message, call: Call | None) -> Found:
        if message.code == URL_ELICITATION_REQUIRED and message.sender == SERVER:
            wrong = _wrong(_elicitations(message))
            if wrong is not None:
                where = "/error/data/elicitations"
                yield self.found(message, f"error -32042: {wrong}", related=[call.seq] if call else [], where=where)


class UrlElicitationErrorUndeclared(Rule):
    """Error -32042 goes to a client that did not declare URL elicitation.

    ## Why it matters
    The client can do nothing with it.

    ## How to fix
    Look for `elicitation.url` in the client's capabilities; without it, fail with words that a person understands.

    ## When it stays silent
    Where the client's capabilities were not seen, and where the error lists no elicitations.
    """

    id = "url-elicitation-error-undeclared"
    title = "Error -32042 sent to a client without URL-mode elicitation"
    tier = 2
    violator = SERVER
    confidence = CONTEXTUAL
    since, until = "2025-11-25", "2025-11-25"
    spec = {"2025-11-25": "client/elicitation#url-elicitation-required-error"}
    echoes = CLIENT_CAPABILITIES

    @when(error)
    def on_answer(self, message: Message, call: Call | None) -> Found:
        if message.code != URL_ELICITATION_REQUIRED or message.sender != SERVER:
            return
        asked, declared = self.session.initialize, self.session.client_capabilities
        if asked is None or declared is None or not _elicitations(message):
            return
        if "url" not in elicitation_modes(declared):
            text = f"error -32042, but record {asked.seq} does not declare elicitation.url"
            yield self.found(message, text, related=[asked.seq])


def _elicitations(error: Message) -> Any:
    data = error.error.get("data")
    return data.get("elicitations") if isinstance(data, dict) else None


def _wrong(entries: Any) -> str | None:
    if not isinstance(entries, list) or not entries:
        return "data.elicitations is missing, empty or no list"
    for index, entry in enumerate(entries):
        if not isinstance(entry, dict) or entry.get("mode") != "url":
            return f"elicitation {index} is not in URL mode"
        lacking = next((name for name in NEEDED if not isinstance(entry.get(name), str)), None)
        if lacking is not None:
            return f"elicitation {index} has no {lacking}: {quote(entry.get(lacking))}"
    return None
