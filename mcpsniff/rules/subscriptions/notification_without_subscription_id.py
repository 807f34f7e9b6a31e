"""Change notifications that say not which subscription they are for."""

from mcpsniff.protocol.revisions import META_SUBSCRIPTION
from mcpsniff.protocol.subscriptions import ACKNOWLEDGED, FLAGS, listen_of, tag_of
from mcpsniff.rules.rule import ERROR, SERVER, Call, Found, Message, Rule


class NotificationWithoutSubscriptionId(Rule):
    """A change notification has no `io.modelcontextprotocol/subscriptionId` in its `_meta`.

    ## Why it matters
    Several subscriptions may be open at once; without the id a client on stdio cannot tell whose notification it is.

    ## How to fix
    Put the id of the listen request, with its JSON type, into `_meta` of every message of the subscription.

    ## When it stays silent
    Progress and log messages carry no such id. A bare notification of a process that also serves the handshake era
    belongs there, and one on the stream of another request has a rule of its own.
    """

    title = "Change notification lacks io.modelcontextprotocol/subscriptionId"
    severity = {"2026-07-28": ERROR}
    since = "2026-07-28"
    violator = SERVER
    spec = {"2026-07-28": "basic/patterns/subscriptions#receiving-notifications"}
    methods = (*FLAGS, ACKNOWLEDGED)
    yields_to = ("task-notification-invalid", "unrelated-notification-on-stream")

    def on_notification(self, message: Message, call: Call | None) -> Found:
        if message.sender != SERVER or tag_of(message) is not None:
            return
        listen = listen_of(message.exchange)
        open_ = [listen.seq] if listen is not None else [sub.call.seq for sub in self.session.subscriptions.open()]
        text = f"{message.method} carries no {META_SUBSCRIPTION}"
        yield self.found(message, text, related=open_[:3], fault=message.method or "", where="/params/_meta")
