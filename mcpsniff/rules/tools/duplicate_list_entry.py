"""Two entries of one list have the same name."""

from collections.abc import Iterator

from mcpsniff.protocol.lists import Walk
from mcpsniff.protocol.revisions import ITEM_KEY, LISTS, MODERN
from mcpsniff.rules.rule import INFO, WARNING, Call, Found, Message, Rule, quote


class DuplicateListEntry(Rule):
    """Two tools, prompts, resources, templates, roots or tasks of one list share the member that tells them apart.

    ## Why it matters
    A call by that name reaches one of the two; nobody can say which.

    ## How to fix
    Give every entry a name (or URI) of its own; servers that join others put a prefix before the names.

    ## When it stays silent
    Only a whole walk is judged, from the first page to the one without nextCursor, with no change notification in
    between. "a" and "A" are two names; from 2026-07-28 on that is noted.
    """

    title = "Two entries of one list share a name or URI"
    severity = {"2024-11-05": WARNING}
    spec = {"2024-11-05": "server/tools#tool", "2025-11-25": "server/tools#tool-names"}
    methods = tuple(LISTS)

    def on_answer(self, message: Message, call: Call | None) -> Found:
        if call is None or message.has_error or call.method not in LISTS:
            return
        walk = self.session.lists.preview(call, message)
        if not walk.complete or walk.stale:
            return
        key = ITEM_KEY[call.method]
        for name, first, second in _repeated(walk):
            text = f"{call.method} lists the {key} {quote(name)} twice"
            yield self.found(message, text, seq=second, related=[first], fault=call.method)
        for name, other in _alike(walk):
            text = f"{call.method} lists {quote(name)} and {quote(other)}, which differ in case alone"
            yield self.found(message, text, fault=f"{call.method} case", severity=INFO, only_in=(MODERN,))


def _repeated(walk: Walk) -> Iterator[tuple[str, int, int]]:
    """Gives each repeated name with the records of the first and the later entry."""
    seen: dict[str, int] = {}
    for name, _, seq, _ in walk.items:
        if isinstance(name, str):
            if name in seen:
                yield name, seen[name], seq
            seen.setdefault(name, seq)


def _alike(walk: Walk) -> Iterator[tuple[str, str]]:
    seen: dict[str, str] = {}
    for name in walk.names():
        if isinstance(name, str) and seen.setdefault(name.casefold(), name) != name:
            yield seen[name.casefold()], name
