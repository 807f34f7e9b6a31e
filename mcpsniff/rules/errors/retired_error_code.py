"""A modern server uses an error code of earlier revisions."""

from mcpsniff.rules.rule import SERVER, Call, Found, Message, Rule
from mcpsniff.rules.when import error, when

RETIRED = {  # code → what it meant, what is used now
    -32002: "resource not found, now -32602",
    -32042: "URL elicitation required, now an input_required result",
}


class RetiredErrorCode(Rule):
    """The server answers with an error code that 2026-07-28 has given up.

    ## Why it matters
    Clients of this revision do not know the code; what it should make them do does not happen.

    ## How to fix
    A missing resource is -32602 with the uri in `data`; a URL elicitation is an input_required result.

    ## When it stays silent
    Answers to requests of the handshake revisions, where both codes are right.
    """

    title = "Server used an error code that this revision has retired"
    violator = SERVER
    since = "2026-07-28"
    spec = {"2026-07-28": "basic/index#error-codes"}

    @when(error)
    def on_answer(self, message: Message, call: Call | None) -> Found:
        if message.sender == SERVER and message.has_error and message.code in RETIRED:
            text = f"error code {message.code} is retired ({RETIRED[message.code]})"
            related = [call.seq] if call else []
            yield self.found(message, text, related=related, where="/error/code", fault=str(message.code))
