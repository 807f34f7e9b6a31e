"""The same tools come in another order."""

from typing import Any

from mcpsniff.protocol.lists import Walk
from mcpsniff.rules.rule import SERVER, WARNING, Call, Found, Message, Rule


class ToolsOrderUnstable(Rule):
    """A second tools/list gives the same tools in another order.

    ## Why it matters
    Tool lists stand at the front of a model's prompt; another order makes every cached prompt useless.

    ## How to fix
    Keep the order of registration, or sort by name; do not list a set.

    ## When it stays silent
    Where a tool was added, removed or changed, where a walk is not whole, and where only one was seen.
    """

    title = "tools/list returns the same tools in another order"
    severity = {"2026-07-28": WARNING}
    violator = SERVER
    since = "2026-07-28"
    spec = {"2026-07-28": "server/tools#capabilities"}
    methods = ("tools/list",)

    def on_answer(self, message: Message, call: Call | None) -> Found:
        before = self.session.lists.last_complete("tools/list")
        if call is None or message.has_error or before is None or before.stale:
            return
        walk = self.session.lists.preview(call, message)
        if not walk.complete or walk.stale or walk.names() == before.names():
            return
        if _definitions(walk) is not None and _definitions(walk) == _definitions(before):
            related = [seq for seq, *_ in before.pages]
            text = f"the {len(walk.items)} tools of record {related[-1]} come in another order"
            yield self.found(message, text, related=related)


def _definitions(walk: Walk) -> dict[str, Any] | None:
    """Gives the items by name; None where that would lose one."""
    by_name = {name: item for name, item, *_ in walk.items if isinstance(name, str)}
    return by_name if len(by_name) == len(walk.items) else None
