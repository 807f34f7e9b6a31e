"""Events of the old transport that are no `message`."""

from mcpsniff.rules.rule import ERROR, SERVER, Found, Message, Rule, Text, quote
from mcpsniff.rules.when import in_event, when

MESSAGE_EVENTS = (None, "", "message")


class SseMessageEventType(Rule):
    """On an HTTP+SSE stream a message came in an event of another type than `message`, or such an event holds none.

    ## Why it matters
    Clients listen for `message` and parse its data as JSON-RPC: the one they never see, at the other they fail.

    ## How to fix
    Send every message as `event: message` (or without a type) with JSON as its data, and keep-alives as comments.

    ## When it stays silent
    The `endpoint` event, comments, `retry`, and events of another type that hold no message.
    """

    title = "Server message not sent as a message event with JSON data"
    tier = 2
    severity = {"2024-11-05": ERROR}
    until = "2024-11-05"
    violator = SERVER
    transport = "http+sse"
    spec = {"2024-11-05": "basic/transports#http-with-sse"}

    def on_text(self, text: Text) -> Found:
        typed = text.sse is not None and text.sse.get("event") in MESSAGE_EVENTS
        if typed and text.sender == SERVER and text.encoding is None and text.data.strip():
            yield self.found(text, f'the data of a message event is no JSON: "{quote(text.text, 60)}"')

    @when(in_event)
    def on_object(self, message: Message) -> Found:
        if message.sender != SERVER or message.sse is None or message.batch:
            return
        type_, shown = message.sse.get("event"), quote(message.raw.decode("utf-8", "replace"), 60)
        if type_ in MESSAGE_EVENTS and not message.has_envelope:
            yield self.found(message, f"the data of a message event is no message: {shown}")
        elif type_ not in MESSAGE_EVENTS and message.has_envelope:
            yield self.found(message, f'a message came in an event of type "{quote(type_, 40)}"', fault="type")
