"""Messages without "jsonrpc": "2.0"."""

from mcpsniff.rules.rule import Found, Message, Rule, quote
from mcpsniff.rules.when import odd, when


class JsonrpcVersionWrong(Rule):
    """A message's `jsonrpc` member is missing or is not exactly the string "2.0".

    ## Why it matters
    Strict peers drop such a message without an answer.

    ## How to fix
    Send `"jsonrpc": "2.0"`, as a string, in every request, notification and response.

    ## When it stays silent
    Requests and results embedded in a multi round-trip request carry no `jsonrpc` by design. Objects with no member
    of a message are noise, and an HTTP error body that is no JSON-RPC is none of ours.
    """

    title = 'Message lacks jsonrpc "2.0"'
    spec = {
        "2024-11-05": "basic/messages",
        "2025-03-26": "basic/index#messages",
    }

    @when(odd)
    def on_object(self, message: Message) -> Found:
        if message.has_envelope and not message.is_version_2 and not message.is_foreign:
            raw = message.head.jsonrpc  # of a message that is not plain: raw JSON
            text = (
                f'jsonrpc is {quote(bytes(raw).decode("utf-8", "replace"))}, not "2.0"' if raw else "jsonrpc is missing"
            )
            yield self.found(message, text, where="/jsonrpc")
