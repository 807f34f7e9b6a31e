"""Updates of resources that nobody watches, and the end of watches that never began."""

from mcpsniff.protocol.revisions import LEGACY
from mcpsniff.protocol.watches import SUBSCRIBE, UNSUBSCRIBE
from mcpsniff.rules.rule import (
    CERTAIN,
    CLIENT,
    CONTEXTUAL,
    ERROR,
    INFO,
    SERVER,
    WARNING,
    Call,
    Found,
    Message,
    Rule,
    quote,
)

CROSSING = 1.0  # seconds in which an update and the end of its subscription may have crossed (trap T6)
UPDATED = "notifications/resources/updated"


class ResourceUpdatedNotSubscribed(Rule):
    """`notifications/resources/updated` names a resource that the client has not subscribed to.

    ## Why it matters
    The client reads resources again that it has no use for, or drops the message as an error.

    ## How to fix
    Keep the subscribed URIs of each client, and send what is among them or below.

    ## When it stays silent
    What lies below a subscribed URI. In the handshake revisions also other spellings of a URI, subscriptions that still
    wait for their answer, and a second after resources/unsubscribe; where the session was not recorded from its start
    nothing can be said.
    """

    id = "resource-updated-not-subscribed"
    title = "resources/updated for a URI outside the subscription"
    tier = 2
    severity = {"2024-11-05": WARNING}
    violator = SERVER
    confidence = CONTEXTUAL
    until = LEGACY[-1]
    spec = {
        "2024-11-05": "server/resources#subscriptions",
        "2026-07-28": "basic/patterns/subscriptions#notification-filter",
    }
    methods = (UPDATED,)
    yields_to = ("change-notification-undeclared",)
    by_time = True
    by_value = True

    def on_notification(self, message: Message, call: Call | None) -> Found:
        uri, watches = message.params.get("uri"), self.session.watches
        if message.sender != SERVER or not isinstance(uri, str):
            return
        above = watches.above(uri)
        if any(watch.active(message.at, CROSSING) for watch in above):
            return
        if not self.session.whole or watches.forgot:
            yield self.unchecked("the subscription may not have been recorded")
            return
        related = [watch.call.seq for watch in above[:3]]
        yield self.found(message, f"nobody has subscribed to {quote(uri)}", related=related, where="/params/uri")


class ResourceUpdatedNotListened(Rule):
    """The same where a listen request names the resources."""

    id = "resource-updated-not-subscribed"
    title = ResourceUpdatedNotSubscribed.title
    tier = 2
    severity = {"2026-07-28": ERROR}
    violator = SERVER
    confidence = CONTEXTUAL
    since = "2026-07-28"
    spec = ResourceUpdatedNotSubscribed.spec
    methods = (UPDATED,)
    by_time = True
    by_value = True

    def on_notification(self, message: Message, call: Call | None) -> Found:
        uri, sub = message.params.get("uri"), self.session.subscriptions.of(message)
        wanted = sub.wanted.get("resourceSubscriptions") if sub is not None else None
        if sub is None or message.sender != SERVER or not isinstance(uri, str) or not isinstance(wanted, list):
            return
        if wanted and not any(_is_at(uri, one) for one in wanted if isinstance(one, str)):
            text = f"{quote(uri)} is none of the {len(wanted)} resources of subscription {sub.call.id}, nor below one"
            yield self.found(message, text, related=[sub.call.seq], where="/params/uri")


def _is_at(uri: str, parent: str) -> bool:
    uri, parent = uri.rstrip("/"), parent.rstrip("/")
    return uri == parent or uri.startswith(f"{parent}/")


class UnsubscribeWithoutSubscribe(Rule):
    """`resources/unsubscribe` names a URI that was never subscribed to in this session.

    ## Why it matters
    The client has lost count: the subscription that it means to end may be under another URI and goes on.

    ## How to fix
    Unsubscribe with the URI of the subscription, once.

    ## When it stays silent
    Other spellings of a subscribed URI, and subscriptions without an answer yet. After a failed subscription it is
    noted as information.
    """

    id = "unsubscribe-without-subscribe"
    title = "resources/unsubscribe for a URI that is not subscribed"
    tier = 2
    severity = {"2024-11-05": WARNING}
    violator = CLIENT
    confidence = CERTAIN
    until = LEGACY[-1]
    spec = {"2024-11-05": "schema#unsubscriberequest"}
    methods = (UNSUBSCRIBE,)

    def on_request(self, message: Message, call: Call) -> Found:
        uri, watches = message.params.get("uri"), self.session.watches
        if message.sender != CLIENT or not isinstance(uri, str):
            return
        watch = watches.of(uri)
        if watch is not None and watch.failed:
            text = f"{SUBSCRIBE} for {quote(uri)} had failed"
            yield self.found(message, text, related=[watch.call.seq], severity=INFO, where="/params/uri")
        elif watch is None and (not self.session.whole or watches.forgot):
            yield self.unchecked("the subscription may not have been recorded")
        elif watch is None:
            yield self.found(message, f"{quote(uri)} was never subscribed to", where="/params/uri")
