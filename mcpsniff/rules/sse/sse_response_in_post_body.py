"""Answers of the old transport in the wrong place."""

from mcpsniff.rules.rule import CONTEXTUAL, SERVER, WARNING, Found, HttpExchange, Message, Rule


class SseResponseInPostBody(Rule):
    """On the old HTTP+SSE transport a message came in the body that answers a POST.

    ## Why it matters
    Clients of this transport read messages from the stream alone.

    ## How to fix
    Answer the POST with 202, and send the response on the event stream.

    ## When it stays silent
    Error statuses, other bodies than JSON-RPC, and POSTs of a client that takes an event stream: it speaks Streamable
    HTTP, which the server may offer at the same URL.
    """

    title = "Server put a JSON-RPC response into the POST reply instead of the SSE stream"
    tier = 2
    severity = {"2024-11-05": WARNING}
    until = "2024-11-05"
    violator = SERVER
    transport = "http+sse"
    spec = {"2024-11-05": "basic/transports#http-with-sse"}
    confidence = CONTEXTUAL

    def on_object(self, message: Message) -> Found:
        exchange: HttpExchange | None = message.exchange
        if message.sender != SERVER or exchange is None or message.sse is not None or exchange.method != "POST":
            return
        if exchange.succeeded and message.has_envelope and not exchange.accepts_stream:
            what = message.method or "a response"
            text = f"{what} stands in the body that answers a POST"
            yield self.found(message, text, related=[exchange.seq, exchange.reply_seq])
