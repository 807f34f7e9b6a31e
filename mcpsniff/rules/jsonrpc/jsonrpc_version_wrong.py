"""Messages without "jsonrpc": "2.0"."""

from mcpsniff.protocol.message import decode
from mcpsniff.rules.rule import Found, Message, Rule, quote


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

    def on_object(self, message: Message) -> Found:
        if not message.has_envelope or message.is_foreign:
            return
        raw = message.head.jsonrpc
        version = bytes(raw) if raw else b""
        if decode(version) != "2.0":
            text = f"jsonrpc is {quote(version.decode('utf-8', 'replace'))}" if version else "jsonrpc is missing"
            yield self.found(message, f'{text}, not "2.0"' if version else text, where="/jsonrpc")
