"""A missing resource is reported without its URI."""

from mcpsniff.protocol.revisions import INVALID_PARAMS
from mcpsniff.rules.rule import CONTEXTUAL, INFO, SERVER, Call, Found, Message, Rule, quote
from mcpsniff.rules.when import error, when

from ._missing import says_missing, uri_of


class ResourceNotFoundNoUri(Rule):
    """Error -32602 says that a resource does not exist, and `data.uri` does not name it.

    ## Why it matters
    A client with several reads under way, or a person with a log, wants to know which.

    ## How to fix
    Answer with `"data": {"uri": "file:///nope"}`.

    ## When it stays silent
    Errors that say something else.
    """

    title = "Resource-not-found error does not name the URI"
    tier = 3
    severity = {"2026-07-28": INFO}
    violator = SERVER
    confidence = CONTEXTUAL
    since = "2026-07-28"
    spec = {"2026-07-28": "server/resources#error-handling"}
    methods = ("resources/read",)
    by_value = True

    @when(error)
    def on_answer(self, message: Message, call: Call | None) -> Found:
        if call is None or message.code != INVALID_PARAMS or not says_missing(message, call):
            return
        data = message.error.get("data")
        named = data.get("uri") if isinstance(data, dict) else None
        if named != uri_of(call):
            text = f"data.uri is {quote(named)}" if named is not None else "the error has no data.uri"
            yield self.found(message, f"{text}; asked for was {quote(uri_of(call))}", related=[call.seq])
