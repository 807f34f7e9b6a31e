"""Messages on the wrong request's stream."""

from mcpsniff.protocol.subscriptions import listen_of
from mcpsniff.rules.rule import CLIENT, CONTEXTUAL, ERROR, SERVER, WARNING, Call, Found, HttpExchange, Message, Rule

CHANGES = (
    "notifications/tools/list_changed",
    "notifications/prompts/list_changed",
    "notifications/resources/list_changed",
    "notifications/resources/updated",
)
MODERN_CHANGES = (*CHANGES, "notifications/subscriptions/acknowledged", "notifications/tasks")
INERT = frozenset(("ping", "completion/complete", "logging/setLevel"))  # with the lists: cause no change of anything


class _Unrelated(Rule):
    """What both classes share."""

    title = "A request's response stream carries a notification that does not relate to that request"
    tier = 2
    violator = SERVER
    transport = "http"
    spec = {
        "2025-03-26": "basic/transports#sending-messages-to-the-server",
        "2026-07-28": "basic/transports/streamable-http#receiving-messages",
    }
    confidence = CONTEXTUAL
    yields_to = (
        "message-after-final-response", "progress-after-completion", "duplicate-response", "http-message-broadcast",
    )  # fmt: skip

    def _elsewhere(self, message: Message, call: Call | None) -> bool:
        """Whether a notification names a request of another exchange."""
        return call is not None and call.exchange is not None and call.exchange is not message.exchange

    def _report(self, message: Message, call: Call | None) -> Found:
        request = message.exchange.requests[0]
        what = message.method or "a response"
        other = f", but belongs to record {call.seq}" if call is not None else ""
        text = f"{what} came on the stream of {request.method} with id {request.id}{other}"
        yield self.found(
            message, text, related=[request.seq, call.seq if call else None], fault=what, mark=request.mark
        )


class UnrelatedNotificationOnStream(_Unrelated):
    """The stream that answers a request carries a message that demonstrably belongs elsewhere.

    ## Why it matters
    Clients hand what comes on this stream to whoever waits for the request; there nobody expects it.

    ## How to fix
    Send changes on the session's GET stream (from 2026-07-28 on: on that of `subscriptions/listen`), progress and
    responses on the stream of the request that they belong to.

    ## When it stays silent
    Log messages, unknown notifications, and progress with an unknown token. Before 2026-07-28: sessions in which one
    request alone is open, or that have no GET stream; a change that the request could have caused; messages of tasks.
    """

    id = "unrelated-notification-on-stream"
    severity = {"2025-03-26": WARNING}
    since, until = "2025-03-26", "2025-11-25"

    def on_notification(self, message: Message, call: Call | None) -> Found:
        if not _on_post_stream(message) or self._is_lone(message):
            return
        if message.method == "notifications/progress":
            stray = self._elsewhere(message, call) and not _is_resumed(message)
        elif message.method == "notifications/cancelled":
            stray = self._elsewhere(message, call) and _is_posted(call)
        else:
            stray = (
                message.method in CHANGES
                and self.session.streams.listening
                and all(map(_is_inert, message.exchange.requests))
            )
        if stray:
            yield from self._report(message, call if message.method not in CHANGES else None)

    def on_answer(self, message: Message, call: Call | None) -> Found:
        if call is None or message.sender != SERVER or call.requester != CLIENT or not _on_post_stream(message):
            return
        if self._elsewhere(message, call) and not self._is_lone(message):
            yield from self._report(message, call)

    def _is_lone(self, message: Message) -> bool:
        related = "io.modelcontextprotocol/related-task" in message.meta
        return related or len(self.session.calls.all_open(CLIENT)) < 2


class UnrelatedNotificationOnModernStream(_Unrelated):
    """The same where nothing but the request's own notifications is allowed."""

    id = "unrelated-notification-on-stream"
    severity = {"2026-07-28": ERROR}
    since = "2026-07-28"

    def on_notification(self, message: Message, call: Call | None) -> Found:
        if not _on_post_stream(message) or listen_of(message.exchange) is not None:
            return
        if message.method == "notifications/progress":
            if self._elsewhere(message, call):
                yield from self._report(message, call)
        elif message.method in MODERN_CHANGES or message.method == "notifications/cancelled":
            yield from self._report(message, None)


def _on_post_stream(message: Message) -> bool:
    exchange: HttpExchange | None = message.exchange
    return exchange is not None and message.sse is not None and exchange.method == "POST" and bool(exchange.requests)


def _is_posted(call: Call | None) -> bool:
    """Whether the request that a cancellation names was sent on the stream of a POST."""
    return call is not None and call.exchange is not None and call.exchange.method == "POST"


def _is_resumed(message: Message) -> bool:
    return message.exchange.header("last-event-id") is not None


def _is_inert(request: Message) -> bool:
    return request.method is not None and (request.method.endswith("/list") or request.method in INERT)
