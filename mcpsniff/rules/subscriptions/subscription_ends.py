"""How subscriptions end, and what comes after."""

from mcpsniff.protocol.ids import JsonId
from mcpsniff.protocol.message import CLIENT
from mcpsniff.protocol.revisions import META_SUBSCRIPTION
from mcpsniff.protocol.schema import pointer
from mcpsniff.protocol.subscriptions import Subscription, listen_of, result_tag_of, tag_of
from mcpsniff.rules.echoes import SUBSCRIPTIONS
from mcpsniff.rules.rule import (
    CONTEXTUAL,
    ERROR,
    SERVER,
    WARNING,
    Call,
    Found,
    HttpExchange,
    Message,
    Moment,
    Rule,
)
from mcpsniff.rules.when import by_server, has_meta, when

GRACE = 2.0  # seconds in which the server may not have read the cancellation
PAGE = "basic/patterns/subscriptions"


class NotificationAfterUnsubscribe(Rule):
    """A notification is tagged with a subscription that has ended.

    ## Why it matters
    The client has forgotten the subscription and cannot place the message; it also shows that the server has not.

    ## How to fix
    Take the subscription out of whatever sends notifications before its end is sent, and when its cancellation comes.

    ## When it stays silent
    After a cancellation by the client messages may cross: for two seconds, or until the server has answered a later
    request.
    """

    id = "notification-after-unsubscribe"
    title = "Notification for a subscription that has ended"
    tier = 2
    severity = {"2026-07-28": ERROR}
    violator = SERVER
    confidence = CONTEXTUAL
    since = "2026-07-28"
    spec = {"2026-07-28": f"{PAGE}#cancellation"}
    by_time = True

    @when(by_server, has_meta(META_SUBSCRIPTION))
    def on_notification(self, message: Message, call: Call | None) -> Found:
        tagged = message.sender == SERVER and tag_of(message) is not None
        sub = self.session.subscriptions.of(message) if tagged else None
        if sub is None or sub.ended_seq is None or not self._is_late(message, sub):
            return
        how = "the server ended" if sub.ended_by == SERVER else "the client cancelled"
        text = f"{message.method} for subscription {sub.call.id}, which {how} with record {sub.ended_seq}"
        yield self.found(message, text, related=[sub.call.seq, sub.ended_seq], fault=sub.call.id.text)

    def _is_late(self, message: Message, sub: Subscription) -> bool:
        if sub.ended_by != CLIENT:
            return sub.ended_by == SERVER
        later = self.session.calls.newest_answered(CLIENT)
        was_read = later is not None and sub.ended_seq is not None and later.seq > sub.ended_seq
        return was_read or message.at - sub.ended_at > GRACE


class ListenTeardownSilent(Rule):
    """The server ended a subscription without saying so: no result of the listen request, no cancellation.

    ## Why it matters
    The client cannot tell the end of the subscription from a broken connection, and does not know whether to come back.

    ## How to fix
    Before closing the stream, or exiting, answer the listen request with its result.

    ## When it stays silent
    Where the client closed first, ended the server's input or sent a signal, where the connection broke or something
    in between closed it, and where the process failed. Result and cancellation are asked for on different pages; one of
    them is enough.
    """

    id = "listen-teardown-silent"
    title = "Server ended a subscription without a completion result"
    tier = 2
    severity = {"2026-07-28": WARNING}
    violator = SERVER
    confidence = CONTEXTUAL
    since = "2026-07-28"
    spec = {"2026-07-28": f"{PAGE}#graceful-closure"}
    yields_to = ("listen-not-acknowledged",)
    echoes = SUBSCRIPTIONS

    def on_close(self, exchange: HttpExchange) -> Found:
        listen: Call | None = listen_of(exchange)
        if listen is None or exchange.closed_by != "server" or exchange.error or exchange.closed_seq is None:
            return
        if exchange.is_stream and not exchange.failed and listen.open:
            text = f"the stream of subscription {listen.id} ended without a result"
            yield self.found(exchange, text, seq=exchange.closed_seq, related=[listen.seq], mark=listen.mark)

    def on_end(self) -> Found:
        process = self.session.process
        if process is None or not process.died or process.code != 0:
            return
        if process.exit_seq is None or process.exit_at is None:
            return
        for sub in self.session.subscriptions.open():
            moment = Moment(process.exit_seq, process.exit_at)
            text = f"the server exited with subscription {sub.call.id} open and no result for it"
            yield self.found(moment, text, related=[sub.call.seq], mark=sub.call.mark)


class ListenResultMissingSubscriptionId(Rule):
    """The result of a listen request does not carry its subscription id in `_meta`, or another one.

    ## Why it matters
    Clients that sort by the subscription id miss the end of the subscription.

    ## How to fix
    Put the id of the listen request, with its JSON type, into `_meta` of the result.

    ## When it stays silent
    1 and 1.0 are the same id; "1" is another.
    """

    id = "listen-result-missing-subscription-id"
    title = "Listen completion result lacks the matching subscriptionId"
    tier = 2
    severity = {"2026-07-28": ERROR}
    violator = SERVER
    since = "2026-07-28"
    spec = {"2026-07-28": f"{PAGE}#graceful-closure"}
    methods = ("subscriptions/listen",)

    def on_answer(self, message: Message, call: Call | None) -> Found:
        if call is None or not message.has_result or message.has_error:
            return
        tag: JsonId | None = result_tag_of(message)
        if tag is None or tag.key != call.id.key:
            what = "carries no" if tag is None else f"carries {tag} as"
            text = f"the result of listen request {call.id} {what} {META_SUBSCRIPTION}"
            yield self.found(message, text, related=[call.seq], where=pointer("result", "_meta", META_SUBSCRIPTION))
