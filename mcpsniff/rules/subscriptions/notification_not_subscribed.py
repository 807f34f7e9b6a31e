"""Notifications that the filter of their subscription does not name."""

from mcpsniff.protocol.subscriptions import FLAGS
from mcpsniff.rules.echoes import SUBSCRIPTIONS
from mcpsniff.rules.rule import ERROR, INFO, SERVER, Call, Found, Message, Rule


class NotificationNotSubscribed(Rule):
    """A subscription delivers a kind of notification that its listen request did not ask for.

    ## Why it matters
    Clients subscribe to what they can handle; the rest costs bytes and may be refused.

    ## How to fix
    Keep the filter of each listen request and send what it names alone.

    ## When it stays silent
    A flag that is false and an empty list are as good as absent. Acknowledgments, cancellations and notifications of
    extensions need no filter. What was asked for but not granted is reported as information.
    """

    title = "Server sent a notification type the client did not ask for on that subscription"
    severity = {"2026-07-28": ERROR}
    since = "2026-07-28"
    violator = SERVER
    spec = {"2026-07-28": "basic/patterns/subscriptions#notification-filter"}
    methods = tuple(FLAGS)
    yields_to = ("task-notification-invalid",)
    echoes = SUBSCRIPTIONS

    def on_notification(self, message: Message, call: Call | None) -> Found:
        sub = self.session.subscriptions.of(message)
        if sub is None or message.method is None:
            return
        flag, related = FLAGS[message.method], [sub.call.seq, sub.acked_seq]
        if not sub.asks_for(message.method):
            text = f"subscription {sub.call.id} did not ask for {message.method}: its filter has no {flag}"
            yield self.found(message, text, related=related, fault=message.method)
        elif sub.granted is not None and not sub.granted.get(flag):
            text = f"the acknowledgment of subscription {sub.call.id} did not grant {flag}"
            yield self.found(message, text, related=related, fault=message.method, severity=INFO)
