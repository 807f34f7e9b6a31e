"""Subscription ids that name no subscription."""

from mcpsniff.protocol.revisions import META_SUBSCRIPTION
from mcpsniff.protocol.subscriptions import listen_of, tag_of
from mcpsniff.rules.echoes import SUBSCRIPTIONS
from mcpsniff.rules.rule import ERROR, SERVER, Call, Found, Message, Rule
from mcpsniff.rules.when import by_server, has_meta, when

WHERE = f"/params/_meta/{META_SUBSCRIPTION.replace('/', '~1')}"


class SubscriptionIdUnknown(Rule):
    """A notification is tagged with a subscription id that no open listen request has.

    ## Why it matters
    The client cannot give the notification to a subscription and drops it.

    ## How to fix
    Copy the id of the listen request as it was sent: 1 and "1" are two ids.

    ## When it stays silent
    A subscription that has ended is notification-after-unsubscribe. Where the capture does not hold the whole session,
    an id that was never seen proves nothing.
    """

    title = "subscriptionId matches no open subscription"
    severity = {"2026-07-28": ERROR}
    since = "2026-07-28"
    violator = SERVER
    spec = {"2026-07-28": "basic/patterns/subscriptions#receiving-notifications"}
    yields_to = ("subscription-id-misplaced", "meta-field-invalid")
    echoes = SUBSCRIPTIONS

    @when(by_server, has_meta(META_SUBSCRIPTION))
    def on_notification(self, message: Message, call: Call | None) -> Found:
        tag = tag_of(message) if message.sender == SERVER else None
        if tag is None:
            return
        listen = listen_of(message.exchange)
        sub = self.session.subscriptions.of(message)
        if listen is not None and listen.id != tag:
            text = f"tagged with subscription {tag} on the stream of listen request {listen.id}"
            yield self.found(message, text, related=[listen.seq], where=WHERE)
        elif sub is not None and sub.call.id != tag:
            text = f"tagged with {tag}, which is not {sub.call.id}: the JSON types differ"
            yield self.found(message, text, related=[sub.call.seq], where=WHERE)
        elif sub is None and self.session.whole:
            yield self.found(message, f"no listen request has the id {tag}", where=WHERE)
        elif sub is None:
            yield self.unchecked("the listen request may not have been recorded")
