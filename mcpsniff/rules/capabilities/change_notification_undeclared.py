"""Change notifications that the server did not announce."""

from __future__ import annotations

from typing import Any

from mcpsniff.protocol.revisions import LEGACY, declares
from mcpsniff.rules.echoes import SERVER_CAPABILITIES
from mcpsniff.rules.rule import CONTEXTUAL, ERROR, SERVER, WARNING, Call, Found, Message, Rule

CAPABILITY = {  # notification → path in the server's capabilities
    "notifications/tools/list_changed": ("tools", "listChanged"),
    "notifications/prompts/list_changed": ("prompts", "listChanged"),
    "notifications/resources/list_changed": ("resources", "listChanged"),
    "notifications/resources/updated": ("resources", "subscribe"),
}


class ChangeNotificationUndeclared(Rule):
    """The server sends a change notification whose flag (`listChanged`, `subscribe`) it does not declare as true.

    ## Why it matters
    Clients go by the flag: they keep polling, or have no handler and lose the notification.

    ## How to fix
    Declare the flag, or do not send the notification.

    ## When it stays silent
    Where the server's capabilities were not seen. An update of a resource that nobody subscribed to, by a server which
    says that `subscribe` is false, is resource-updated-not-subscribed alone.
    """

    title = "Server sent a change notification that it did not announce"
    tier = 2
    severity = {"2024-11-05": WARNING, "2025-06-18": ERROR}
    violator = SERVER
    confidence = CONTEXTUAL
    until = LEGACY[-1]
    spec = {"2024-11-05": "basic/lifecycle#operation", "2026-07-28": "schema#servercapabilities"}
    methods = tuple(CAPABILITY)
    echoes = SERVER_CAPABILITIES

    def declared(self) -> tuple[Message | None, dict[str, Any] | None]:
        """Gives the message that declares the server's capabilities, and these."""
        return self.session.initialize_result, self.session.server_capabilities

    def on_notification(self, message: Message, call: Call | None) -> Found:
        where, capabilities = self.declared()
        if message.sender != SERVER or where is None or capabilities is None or message.method is None:
            return
        path = CAPABILITY[message.method]
        if not declares(capabilities, path) and not self.is_stray_update(message, capabilities):
            lacks = ".".join(path) if path[0] in capabilities else path[0]
            text = f"{message.method}, and record {where.seq} does not declare {lacks}"
            yield self.found(message, text, related=[where.seq], fault=message.method)

    def is_stray_update(self, message: Message, capabilities: dict[str, Any]) -> bool:
        """Whether the server denies the flag and nobody has asked for the notification."""
        resources, uri = capabilities.get("resources"), message.params.get("uri")
        denied = isinstance(resources, dict) and resources.get("subscribe") is False
        return denied and isinstance(uri, str) and self.session.whole and not self.session.watches.above(uri)


class ChangeNotificationUndiscovered(ChangeNotificationUndeclared):
    """The same by the latest discover result."""

    id = "change-notification-undeclared"
    since, until = "2026-07-28", "2026-07-28"
    severity = {"2026-07-28": WARNING}

    def declared(self) -> tuple[Message | None, dict[str, Any] | None]:
        return self.session.discover_result, self.session.discovered_capabilities

    def is_stray_update(self, message: Message, capabilities: dict[str, Any]) -> bool:
        return False  # here the listen request tells what was asked for
