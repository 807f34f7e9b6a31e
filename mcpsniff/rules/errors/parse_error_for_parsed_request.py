"""Parse errors for what was parsed."""

from mcpsniff.protocol.revisions import PARSE_ERROR
from mcpsniff.rules.rule import CONTEXTUAL, WARNING, Call, Found, Message, Rule
from mcpsniff.rules.when import error, when


class ParseErrorForParsedRequest(Rule):
    """An answer with the id of a request says that the request could not be parsed (-32700).

    ## Why it matters
    The receiver had read the id, so the JSON was sound: the code hides what is really wrong.

    ## How to fix
    Keep -32700 for text that is no JSON, with `id` null. -32600 is for a request of the wrong shape, -32602 for
    params, -32603 for what broke inside.

    ## When it stays silent
    Errors without an id, or with null, may well be about unreadable text.
    """

    title = "-32700 was returned for a request that was valid JSON with a readable id"
    tier = 2
    severity = {"2024-11-05": WARNING}
    confidence = CONTEXTUAL
    spec = {"2024-11-05": "https://www.jsonrpc.org/specification#error_object"}

    @when(error)
    def on_answer(self, message: Message, call: Call | None) -> Found:
        if call is None or message.code != PARSE_ERROR or message.id is None or message.id.key != call.id.key:
            return
        if call.id.legal:
            text = f"request {call.id} is answered with -32700, though it was valid JSON and its id was read"
            yield self.found(message, text, related=[call.seq], where="/error/code")
