"""Cancellation by message where closing the stream is the signal."""

from mcpsniff.rules.rule import CLIENT, CONTEXTUAL, INFO, Call, Found, Message, Rule


class HttpCancelledNotification(Rule):
    """The client posted `notifications/cancelled` over Streamable HTTP.

    ## Why it matters
    Servers may drop it: over HTTP the request is cancelled by closing its response stream, and by that alone.

    ## How to fix
    Close the stream of the request; send nothing.

    ## When it stays silent
    Handshake-era sessions cancel by this notification on every transport.
    """

    title = "Client posted notifications/cancelled over Streamable HTTP"
    severity = {"2026-07-28": INFO}
    since = "2026-07-28"
    violator = CLIENT
    transport = "http"
    spec = {"2026-07-28": "basic/patterns/cancellation#transport-specific-cancellation"}
    confidence = CONTEXTUAL
    methods = ("notifications/cancelled",)

    def on_notification(self, message: Message, call: Call | None) -> Found:
        if message.sender == CLIENT:
            text = "a cancellation by POST is neither needed nor expected: closing the response stream is the signal"
            yield self.found(message, text, related=[call.seq if call is not None else None])
