"""Messages of one request on the stream of a subscription."""

from mcpsniff.protocol.subscriptions import listen_of
from mcpsniff.rules.echoes import PROGRESS_TOKENS
from mcpsniff.rules.rule import ERROR, INFO, SERVER, Call, Found, Message, Rule


class RequestScopedOnListen(Rule):
    """A progress or log notification was delivered on a listen stream.

    ## Why it matters
    Both belong to one request; on the stream of another the client has nothing to relate them to.

    ## How to fix
    Send them on the response stream of the request that they are about.

    ## When it stays silent
    Progress for the token of the listen request itself is reported as information.
    """

    title = "Progress or log message delivered on a listen stream"
    severity = {"2026-07-28": ERROR}
    since = "2026-07-28"
    violator = SERVER
    transport = "http"
    spec = {"2026-07-28": "basic/transports/streamable-http#receiving-messages"}
    methods = ("notifications/progress", "notifications/message")
    echoes = PROGRESS_TOKENS

    def on_notification(self, message: Message, call: Call | None) -> Found:
        listen = listen_of(message.exchange)
        if listen is None or message.sender != SERVER:
            return
        own = call is listen
        text = f"{message.method} came on the stream of listen request {listen.id}"
        related = [listen.seq, call.seq if call is not None else None]
        yield self.found(message, text, related=related, fault=message.method or "", severity=INFO if own else None)
