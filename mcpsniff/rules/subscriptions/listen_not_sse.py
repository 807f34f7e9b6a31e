"""Listen requests that got no stream."""

from mcpsniff.protocol.headers import JSON
from mcpsniff.protocol.message import Kind
from mcpsniff.rules.rule import ERROR, SERVER, Call, Found, Message, Rule


class ListenNotSse(Rule):
    """A `subscriptions/listen` request was answered with a result in a JSON body.

    ## Why it matters
    One JSON body holds one message: there is no room for the acknowledgment, and no notification can ever come.

    ## How to fix
    Answer with `text/event-stream`: the acknowledgment, notifications, and the result only at the end.

    ## When it stays silent
    A JSON-RPC error as JSON is legal, and so is 406 where the client does not accept event streams.
    """

    title = "subscriptions/listen was answered with a JSON body"
    severity = {"2026-07-28": ERROR}
    since = "2026-07-28"
    violator = SERVER
    transport = "http"
    spec = {"2026-07-28": "basic/transports/streamable-http#receiving-messages"}
    methods = ("subscriptions/listen",)

    def on_answer(self, message: Message, call: Call | None) -> Found:
        exchange = message.exchange
        if call is None or exchange is None or message.kind is not Kind.RESULT:
            return
        if exchange.status == 200 and exchange.media_type == JSON:
            text = f"listen request {call.id} was answered with one {JSON} body"
            yield self.found(message, text, related=[call.seq, exchange.reply_seq])
