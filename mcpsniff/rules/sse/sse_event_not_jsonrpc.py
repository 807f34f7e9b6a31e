"""Events that are no message."""

from mcpsniff.rules.rule import ERROR, INFO, SERVER, Found, Message, Rule, Text, quote
from mcpsniff.rules.when import in_event, when

MESSAGE_EVENTS = (None, "", "message")  # types that clients listen for


class SseEventNotJsonrpc(Rule):
    """The data of an event on a Streamable HTTP stream is not one JSON-RPC message.

    ## Why it matters
    Clients parse the data of every event; one "[DONE]" or "ping" makes some of them drop the stream.

    ## How to fix
    Send keep-alives as comments, lines that begin with a colon. End a stream by closing it.

    ## When it stays silent
    Comments, blocks without data, empty data with an id, `retry`, and the `endpoint` event of the old transport. A
    message in an event of another type than `message` is reported as information; a JSON value that is no object, or
    an array, has a rule of its own.
    """

    title = "An SSE event on a response stream is not one JSON-RPC message"
    severity = {"2025-03-26": ERROR}
    since = "2025-03-26"
    violator = SERVER
    transport = "http"
    spec = {
        "2025-03-26": "basic/transports#sending-messages-to-the-server",
        "2026-07-28": "basic/transports/streamable-http#receiving-messages",
    }
    yields_to = ("sse-event-type-unknown",)

    def on_text(self, text: Text) -> Found:
        if text.sender == SERVER and text.sse is not None and text.encoding is None and text.data.strip():
            yield self.found(text, f'the data of an event is no JSON: "{quote(text.text)}"')

    @when(in_event)
    def on_object(self, message: Message) -> Found:
        if message.sender != SERVER or message.sse is None or not message.is_object:
            return
        if not message.has_envelope:
            shown = quote(message.raw.decode("utf-8", "replace"))
            yield self.found(message, f"the data of an event is a JSON object, but no message: {shown}")
        elif message.sse.get("event") not in MESSAGE_EVENTS:
            text = f'a message in an event of type "{quote(message.sse["event"])}": clients listen for "message"'
            yield self.found(message, text, severity=INFO)
