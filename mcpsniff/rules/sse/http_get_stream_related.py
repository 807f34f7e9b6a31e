"""Progress on the wrong stream."""

from mcpsniff.protocol.streams import Stream
from mcpsniff.rules.echoes import CANCELLATIONS
from mcpsniff.rules.rule import CLIENT, CONTEXTUAL, SERVER, WARNING, Call, Found, HttpExchange, Message, Rule


class HttpGetStreamRelated(Rule):
    """Progress of a request came on the GET stream, although the request's own stream is open.

    ## Why it matters
    The GET stream is for what concerns no running request; a client without one never sees this progress.

    ## How to fix
    Send progress on the stream that answers the request.

    ## When it stays silent
    Requests without an open stream of their own, resumed streams, and log messages.
    """

    title = "Message on the GET stream that belongs to a running request"
    tier = 2
    severity = {"2025-03-26": WARNING}
    since, until = "2025-03-26", "2025-11-25"
    violator = SERVER
    transport = "http"
    spec = {"2025-03-26": "basic/transports#listening-for-messages-from-the-server"}
    confidence = CONTEXTUAL
    methods = ("notifications/progress",)
    yields_to = ("http-message-broadcast",)
    echoes = CANCELLATIONS

    def on_notification(self, message: Message, call: Call | None) -> Found:
        exchange: HttpExchange | None = message.exchange
        stream: Stream | None = exchange.stream if exchange is not None else None
        if exchange is None or exchange.method != "GET" or stream is None or stream.asked:
            return
        if call is None or call.requester != CLIENT or not call.open or call.exchange is None:
            return
        own = call.exchange
        if own.method == "POST" and own.is_stream and own.closed_seq is None:
            text = f"progress of {call.method} with id {call.id} came on the GET stream; its own stream is open"
            yield self.found(message, text, related=[exchange.seq, call.seq, own.reply_seq])
