"""A resource without contents."""

from mcpsniff.rules.rule import HEURISTIC, SERVER, Call, Found, Message, Rule, quote

from ._missing import uri_of


class ResourceEmptyContents(Rule):
    """resources/read is answered with an empty `contents` array.

    ## Why it matters
    That is how servers used to say "not found"; clients take it for an empty resource.

    ## How to fix
    Answer -32602 for what does not exist. An empty resource has one entry with an empty text.

    ## When it stays silent
    A result that asks for input has no contents yet. Whether the resource exists cannot be seen.
    """

    title = "resources/read returned an empty contents array"
    tier = 3
    violator = SERVER
    confidence = HEURISTIC
    since = "2026-07-28"
    spec = {"2026-07-28": "server/resources#error-handling"}
    methods = ("resources/read",)

    def on_answer(self, message: Message, call: Call | None) -> Found:
        if call is not None and message.result.get("contents") == []:
            text = f"{quote(uri_of(call))} was read, and nothing came"
            yield self.found(message, text, related=[call.seq], where="/result/contents")
