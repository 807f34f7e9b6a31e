"""Acknowledgments that grant what nobody asked for, or what the server does not have."""

from collections.abc import Iterator
from typing import Any

from mcpsniff.protocol.revisions import declares
from mcpsniff.protocol.subscriptions import ACKNOWLEDGED, FLAGS
from mcpsniff.rules.rule import INFO, SERVER, WARNING, Call, Found, Message, Rule, quote

CAPABILITY = {  # member of the filter → path in the server's capabilities
    "toolsListChanged": ("tools", "listChanged"),
    "promptsListChanged": ("prompts", "listChanged"),
    "resourcesListChanged": ("resources", "listChanged"),
    "resourceSubscriptions": ("resources", "subscribe"),
}
WHERE = "/params/notifications"


class ListenAckExceedsRequest(Rule):
    """An acknowledgment grants a kind of notification, a resource or a task that the listen request did not name.

    ## Why it matters
    The client cannot rely on the acknowledgment, and is sent what it did not want.

    ## How to fix
    Acknowledge what was asked for and is supported, nothing more.

    ## When it stays silent
    Less than was asked for is right. Kinds that the discover result does not declare, and a second acknowledgment, are
    noted as information. URIs compare as strings.
    """

    title = "Acknowledged filter is not a subset of the requested one"
    tier = 2
    severity = {"2026-07-28": WARNING}
    violator = SERVER
    since = "2026-07-28"
    spec = {"2026-07-28": "basic/patterns/subscriptions#acknowledgment"}
    methods = (ACKNOWLEDGED,)

    def on_notification(self, message: Message, call: Call | None) -> Found:
        sub = self.session.subscriptions.of(message)
        granted = message.params.get("notifications")
        if sub is None or message.sender != SERVER or not isinstance(granted, dict):
            return
        if sub.acked_seq is not None:
            text = f"subscription {sub.call.id} was acknowledged before, by record {sub.acked_seq}"
            yield self.found(message, text, related=[sub.call.seq, sub.acked_seq], severity=INFO, fault="second")
        extra = list(_beyond(sub.wanted, granted))
        if extra:
            text = f"the acknowledgment grants {', '.join(extra[:3])}, which the listen request does not name"
            yield self.found(message, text, related=[sub.call.seq], where=WHERE)
        missing = [".".join(CAPABILITY[flag]) for flag in self._unsupported(granted)]
        if missing:
            discover = self.session.discover_result
            text = f"the acknowledgment grants what the server does not declare: {', '.join(missing)}"
            related = [sub.call.seq, discover.seq if discover is not None else None]
            yield self.found(message, text, related=related, where=WHERE, severity=INFO, fault="unsupported")

    def _unsupported(self, granted: dict[str, Any]) -> list[str]:
        declared = self.session.discovered_capabilities
        if declared is None:
            return []
        return [flag for flag, path in CAPABILITY.items() if granted.get(flag) and not declares(declared, path)]


def _beyond(wanted: dict[str, Any], granted: dict[str, Any]) -> Iterator[str]:
    """Gives what a granted filter has more than the wanted one."""
    for flag in FLAGS.values():
        got, asked = granted.get(flag), wanted.get(flag)
        if isinstance(got, list):
            known = asked if isinstance(asked, list) else []
            yield from (f"{flag} {quote(one, 60)}" for one in got if one not in known)
        elif got is True and asked is not True:
            yield flag
