"""JSON values that cannot be messages."""

from mcpsniff.protocol.message import CLIENT, Kind
from mcpsniff.rules.rule import Found, Message, Rule, quote
from mcpsniff.rules.when import odd, when


class MessageNotObject(Rule):
    """A string, a number, a boolean or null stands where a message belongs.

    ## Why it matters
    It is valid JSON, so that it passes a first check, and no message: strict readers end the connection.

    ## How to fix
    Send objects alone; on stdio look for a print of a value.

    ## When it stays silent
    For empty SSE data, comments, the address in an endpoint event, and JSON bodies of responses over HTTP, which have
    a rule of their own. An array is a batch.
    """

    title = "Top-level JSON value is neither an object nor an array"
    tier = 2
    spec = {"2024-11-05": "basic/messages", "2025-03-26": "basic/index#messages"}

    @when(odd)
    def on_object(self, message: Message) -> Found:
        if message.kind is not Kind.MALFORMED or message.is_object or message.batch:
            return
        if message.exchange is None or message.sender == CLIENT or _is_event(message):
            yield self.found(message, f"{quote(message.raw.decode('utf-8', 'replace'))} in a message's place")


def _is_event(message: Message) -> bool:
    return message.sse is not None and message.sse.get("event") != "endpoint"
