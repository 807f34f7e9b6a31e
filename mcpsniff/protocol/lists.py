"""List walks: the pages of one list from the first request to the page without nextCursor, and the tools they name.

(server/utilities/pagination of every revision.) Keeps issued cursors, the walk under way and the last complete walk of
each list; a change notification makes a walk stale. Judges nothing.
"""

from __future__ import annotations

from typing import Any

from .bounded import BoundedDict, Drops
from .calls import Call
from .message import Message
from .paramheaders import Annotated, annotated
from .revisions import ITEM_KEY, LISTS
from .servers import ServerFacts
from .toolschema import Judged, judge

CURSOR_CAP = 20_000  # per session and per server
SERVER_STORE = "cursors of a server"
TOOL_CAP = 5_000
ITEM_CAP = 20_000  # items of one walk


class Walk:
    """The pages of one list seen so far."""

    __slots__ = ("_by_key", "asked", "complete", "cursor", "items", "method", "pages", "stale")

    def __init__(self, method: str) -> None:
        self.method = method
        self.items: list[tuple[Any, Any, int, float]] = []  # (unique member, whole item, record, seconds)
        self.pages: list[tuple[int, float, Message]] = []  # (record, seconds, answer)
        self.asked = 0  # record of the request for the first page
        self.cursor: str | None = None  # that the next page must be asked with
        self.complete = False
        self.stale = False  # a change notification came in between
        self._by_key: dict[str, dict[str, Any]] | None = None

    def item(self, key: str) -> dict[str, Any] | None:
        """Gives the item with this unique member, the first of several; for a walk that grows no more."""
        return self._keyed().get(key)

    def has_alike(self, key: str) -> bool:
        """Whether the unique member of an item is this one but for the case of letters."""
        return any(name.casefold() == key.casefold() for name in self._keyed())

    def _keyed(self) -> dict[str, dict[str, Any]]:
        if self._by_key is None:
            self._by_key = {name: item for name, item, *_ in reversed(self.items) if isinstance(name, str)}
        return self._by_key

    def names(self) -> list[Any]:
        """Gives the unique members in the order of the list."""
        return [name for name, *_ in self.items]


class Tool:
    """One tool as a tools/list result first described it so."""

    __slots__ = ("_annotated", "_judged", "at", "definition", "earlier", "seq")

    def __init__(self, definition: dict[str, Any], seq: int, at: float) -> None:
        self.definition = definition
        self.seq = seq
        self.at = at
        self.earlier: dict[str, Any] | None = None  # another definition under this name, before
        self._annotated: Annotated | None = None
        self._judged: dict[str, Judged] = {}

    @property
    def annotated(self) -> Annotated:
        """The `x-mcp-header` annotations of its inputSchema."""
        if self._annotated is None:
            self._annotated = annotated(self.definition.get("inputSchema"))
        return self._annotated

    def judged(self, member: str) -> Judged:
        """Gives what is known of its inputSchema or outputSchema."""
        if member not in self._judged:
            self._judged[member] = judge(self.definition.get(member))
        return self._judged[member]


class Lists:
    """Cursors, walks and tools of one session."""

    def __init__(self, drops: Drops, server: ServerFacts) -> None:
        self._drops = drops
        self._server = server
        self.cursors: BoundedDict[tuple[str, str], int] = BoundedDict("cursors", CURSOR_CAP, drops)
        self.tools: BoundedDict[str, Tool] = BoundedDict("tools", TOOL_CAP, drops)
        self._walks: dict[str, Walk] = {}
        self._complete: dict[str, Walk] = {}

    def walk(self, call: Call) -> Walk | None:
        """Gives the walk that a list request goes on with (its cursor was the last one issued), or None."""
        cursor = call.request.params.get("cursor")
        walk = self._walks.get(call.method)
        return walk if walk is not None and isinstance(cursor, str) and walk.cursor == cursor else None

    def under_way(self) -> list[Walk]:
        """Gives the latest walk of each list that has not come to an end."""
        return [walk for walk in self._walks.values() if walk.cursor is not None]

    def issued_before(self, method: str, cursor: str) -> int | None:
        """Gives the record with which the server issued a cursor of a list, in any of its sessions."""
        return self._server.cursors.get((method, cursor))

    def walked(self, method: str) -> bool:
        """Whether a page of this list was seen."""
        return method in self._walks

    def last_complete(self, method: str) -> Walk | None:
        """Gives the last walk that reached the end of its list."""
        return self._complete.get(method)

    def is_stale(self, method: str) -> bool:
        """Whether a change notification came since the list was last asked for."""
        walk = self._walks.get(method)
        return walk is not None and walk.stale

    def known_tool(self, name: Any) -> Tool | None:
        """Gives the tool of a name as the client knows it for sure: listed, and no change was announced since."""
        return self.tools.get(name) if isinstance(name, str) and not self.is_stale("tools/list") else None

    def settled(self, method: str, before: int) -> Walk | None:
        """Gives the last whole walk where it ended before that record and nothing is known to have changed since."""
        walk = self._complete.get(method)
        if walk is None or walk.stale or self.is_stale(method) or walk.pages[-1][0] >= before:
            return None
        return walk

    def lacks(self, method: str, key: str, before: int) -> Walk | None:
        """Gives the settled walk where neither it nor the one under way has an item of this name; else None."""
        walk, latest = self.settled(method, before), self._walks.get(method)
        if walk is None or latest is None or walk.item(key) is not None or key in latest.names():
            return None
        return walk

    def described(self, call: Call) -> Tool | None:
        """Gives the tool that a call names, where it was listed before the call and no change is known since."""
        tool = self.tools.get(call.target or "")
        return None if tool is None or tool.seq >= call.seq or self.is_stale("tools/list") else tool

    def tools_complete(self) -> bool:
        """Whether the whole tools/list has been seen."""
        return "tools/list" in self._complete

    def preview(self, call: Call, answer: Message) -> Walk:
        """Gives the walk as it stands once this page is counted in; changes nothing that is kept."""
        before = self.walk(call)
        walk = Walk(call.method)
        walk.asked = before.asked if before is not None else call.seq
        if before is not None:
            walk.items, walk.pages, walk.stale = list(before.items), list(before.pages), before.stale
        walk.pages.append((answer.seq, answer.at, answer))
        items = answer.result.get(LISTS[call.method])
        for item in items if isinstance(items, list) else ():
            if isinstance(item, dict) and len(walk.items) < ITEM_CAP:
                walk.items.append((item.get(ITEM_KEY[call.method]), item, answer.seq, answer.at))
        cursor = answer.result.get("nextCursor")
        walk.cursor = cursor if isinstance(cursor, str) else None
        walk.complete = walk.cursor is None and (before is not None or "cursor" not in call.request.params)
        return walk

    def add(self, call: Call, answer: Message) -> Walk:
        """Takes in one page; gives the walk that it belongs to."""
        walk = self.preview(call, answer)
        self._walks[call.method] = walk
        if walk.cursor is not None:
            self.cursors[(call.method, walk.cursor)] = answer.seq
            self._issue((call.method, walk.cursor), answer.seq)
        if walk.complete:
            self._complete[call.method] = walk
        if call.method == "tools/list":
            self._learn(answer)
        return walk

    def _issue(self, page: tuple[str, str], seq: int) -> None:
        issued = self._server.cursors
        issued.setdefault(page, seq)
        if len(issued) > CURSOR_CAP:
            del issued[next(iter(issued))]
            self._drops.forget(SERVER_STORE, CURSOR_CAP)

    def _learn(self, answer: Message) -> None:
        tools = answer.result.get("tools")
        for definition in tools if isinstance(tools, list) else ():
            if not isinstance(definition, dict) or not isinstance(definition.get("name"), str):
                continue
            known = self.tools.get(definition["name"])
            if known is not None and known.definition == definition:
                continue
            tool = Tool(definition, answer.seq, answer.at)
            tool.earlier = known.definition if known is not None else None
            self.tools[definition["name"]] = tool

    def changed(self, method: str) -> None:
        """Takes in a list_changed notification."""
        kind = method.removeprefix("notifications/").removesuffix("/list_changed")
        for walk in (*self._walks.values(), *self._complete.values()):
            if walk.method.startswith(kind):
                walk.stale = True
