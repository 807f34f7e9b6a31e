"""What comes on a stream after its end."""

from mcpsniff.protocol.streams import SseEvent
from mcpsniff.rules.rule import ERROR, SERVER, WARNING, Found, Rule


class MessageAfterFinalResponse(Rule):
    """A message came on the stream of a request after the response.

    ## Why it matters
    Clients stop reading at the response; what comes after it is lost.

    ## How to fix
    Send notifications before the response, or on the session's GET stream (from 2026-07-28 on: on that of
    `subscriptions/listen`), and close the stream after the response.

    ## When it stays silent
    Comments and `retry` are no messages. Progress after the response, and a second response, have rules of their own.
    """

    title = "SSE stream carries a message after the final response"
    tier = 2
    severity = {"2025-03-26": WARNING, "2026-07-28": ERROR}
    since = "2025-03-26"
    violator = SERVER
    transport = "http"
    spec = {
        "2025-03-26": "basic/transports#sending-messages-to-the-server",
        "2026-07-28": "basic/transports/streamable-http#receiving-messages",
    }
    yields_to = ("duplicate-response", "progress-after-completion", "response-unknown-id", "sse-event-not-jsonrpc")
    by_time = True

    def on_event(self, event: SseEvent) -> Found:
        done, message = event.exchange.stream.done, event.message
        if done is not None and message is not None and not message.replayed:
            what = message.method or "a response"
            text = f"{what} came {event.at - done.at:.2f} s after the response"
            yield self.found(event, text, related=[done.seq])
