"""Subscription ids where none belongs."""

from mcpsniff.protocol.revisions import META_SUBSCRIPTION
from mcpsniff.protocol.schema import pointer
from mcpsniff.protocol.subscriptions import tag_of
from mcpsniff.rules.rule import SERVER, WARNING, Call, Found, Message, Rule
from mcpsniff.rules.when import by_server, has_meta, when


class SubscriptionIdMisplaced(Rule):
    """A progress or log notification carries a subscription id.

    ## Why it matters
    Both belong to one request. A client that sorts by the subscription id gives them to the wrong receiver.

    ## How to fix
    Leave the id out of everything but the messages of a subscription.

    ## When it stays silent
    On the stream of a listen request the message itself is out of place (request-scoped-on-listen).
    """

    title = "subscriptionId on a notification that belongs to an ordinary request"
    tier = 2
    severity = {"2026-07-28": WARNING}
    violator = SERVER
    since = "2026-07-28"
    spec = {"2026-07-28": "basic/transports/streamable-http#receiving-messages"}
    methods = ("notifications/progress", "notifications/message")
    yields_to = ("request-scoped-on-listen",)

    @when(by_server, has_meta(META_SUBSCRIPTION))
    def on_notification(self, message: Message, call: Call | None) -> Found:
        tag = tag_of(message) if message.sender == SERVER else None
        if tag is not None:
            text = f"{message.method} is tagged with subscription {tag}"
            where = pointer("params", "_meta", META_SUBSCRIPTION)
            related = [call.seq if call is not None else None]
            yield self.found(message, text, related=related, where=where, fault=message.method or "")
