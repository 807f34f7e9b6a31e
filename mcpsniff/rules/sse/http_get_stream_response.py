"""Responses on the wrong stream."""

from mcpsniff.protocol.streams import Stream
from mcpsniff.rules.rule import CLIENT, ERROR, SERVER, Call, Found, HttpExchange, Message, Rule


class HttpGetStreamResponse(Rule):
    """A response came on a GET stream that resumes nothing.

    ## Why it matters
    The client waits for the response on the stream of its POST; some never look for it elsewhere.

    ## How to fix
    Send a response on the stream, or as the body, that answers the request's POST.

    ## When it stays silent
    Streams resumed with Last-Event-ID, and the old HTTP+SSE transport, where every response comes on the GET stream.
    """

    title = "JSON-RPC response sent on a GET stream that is not a resumption"
    tier = 2
    severity = {"2025-03-26": ERROR}
    since, until = "2025-03-26", "2025-11-25"
    violator = SERVER
    transport = "http"
    spec = {"2025-03-26": "basic/transports#listening-for-messages-from-the-server"}
    yields_to = ("http-message-broadcast",)

    def on_answer(self, message: Message, call: Call | None) -> Found:
        exchange: HttpExchange | None = message.exchange
        stream: Stream | None = exchange.stream if exchange is not None else None
        if call is None or call.requester != CLIENT or exchange is None or stream is None:
            return
        if exchange.method == "GET" and not stream.asked:
            text = f"the response to {call.method} with id {call.id} came on a GET stream"
            yield self.found(message, text, related=[exchange.seq, call.seq])
