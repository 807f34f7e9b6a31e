"""Members that the revision in force does not know yet."""

from collections.abc import Iterator
from typing import Any

from mcpsniff.protocol.message import Kind
from mcpsniff.protocol.revisions import REVISIONS
from mcpsniff.protocol.shape import Shape
from mcpsniff.rules.rule import EITHER, INFO, Call, Found, Message, Rule, Session
from mcpsniff.rules.when import either, has, is_method, result, when

Since = dict[str, str]  # member → the revision that introduced it

_NAMED: Since = {"title": "2025-06-18", "icons": "2025-11-25"}
_INFO: Since = {**_NAMED, "websiteUrl": "2025-11-25", "description": "2025-11-25"}
_ANY_RESULT: Since = {"resultType": "2026-07-28"}
_CACHED: Since = {**_ANY_RESULT, "ttlMs": "2026-07-28", "cacheScope": "2026-07-28"}
_ITEMS: dict[str, Since] = {  # list → members of its items
    "tools": {**_NAMED, "annotations": "2025-03-26", "outputSchema": "2025-06-18", "execution": "2025-11-25"},
    "prompts": _NAMED,
    "resources": _NAMED,
    "resourceTemplates": _NAMED,
}
_RESULTS: dict[str, Since] = {  # method → members of its result
    "tools/call": {**_ANY_RESULT, "structuredContent": "2025-06-18"},
    "resources/read": _CACHED,
    "tools/list": _CACHED,
    "prompts/list": _CACHED,
    "resources/list": _CACHED,
    "resources/templates/list": _CACHED,
}


def _lists_or_opens(shape: Shape, session: Session) -> bool:
    return shape.method == "initialize" or (shape.method or "").endswith("/list")


class FieldsFromLaterRevision(Rule):
    """A message holds a member that only a later revision than the session's defines.

    ## Why it matters
    The peer ignores it. Whoever waits for its effect waits in vain.

    ## How to fix
    Negotiate the revision that has the member, or do without.

    ## When it stays silent
    Members that no revision defines are extensions. Each member is named once for each side, those that came with one
    revision together.
    """

    title = "Members of a later revision"
    tier = 2
    severity = {"2024-11-05": INFO}
    until = "2025-11-25"
    violator = EITHER
    spec = {"2024-11-05": "basic/lifecycle#version-negotiation"}
    yields_to = ("method-not-in-revision",)

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._seen: dict[tuple[str, str], dict[str, tuple[Message, str]]] = {}  # (sender, since) → by member

    @when(result, either(has("resultType", "structuredContent", "ttlMs", "cacheScope"), _lists_or_opens))
    def on_answer(self, message: Message, call: Call | None) -> Found:
        if message.kind is Kind.RESULT and call is not None:
            self._note(message, _in_result(message.result, call.method))
        yield from ()

    @when(is_method("initialize"))
    def on_request(self, message: Message, call: Call) -> Found:
        if message.method == "initialize":
            self._note(message, _members(message.params.get("clientInfo"), _INFO, "/params/clientInfo"))
        yield from ()

    def _note(self, message: Message, members: Iterator[tuple[str, str, str]]) -> None:
        for member, since, where in members:
            self._seen.setdefault((message.sender, since), {}).setdefault(member, (message, where))

    def on_end(self) -> Found:
        for (sender, since), members in self._seen.items():
            first, where = next(iter(members.values()))
            yield self.found(
                first,
                f"{', '.join(members)}: defined from {since} on",
                related=[message.seq for message, _ in members.values()],
                violator=sender,
                where=where,
                fault=since,
                only_in=[revision for revision in REVISIONS if revision < since],
            )


def _in_result(result: dict[str, Any], method: str) -> Iterator[tuple[str, str, str]]:
    """Gives the members of a result that some revision introduced: name, revision, JSON pointer."""
    yield from _members(result, _RESULTS.get(method, _ANY_RESULT), "/result")
    if method == "initialize":
        yield from _members(result.get("serverInfo"), _INFO, "/result/serverInfo")
    name = method.partition("/")[0]
    name = "resourceTemplates" if method == "resources/templates/list" else name
    items = result.get(name) if method.endswith("/list") and name in _ITEMS else None
    for index, item in enumerate(items if isinstance(items, list) else ()):
        yield from _members(item, _ITEMS[name], f"/result/{name}/{index}")


def _members(value: Any, since: Since, where: str) -> Iterator[tuple[str, str, str]]:
    for member, revision in since.items() if isinstance(value, dict) else ():
        if member in value:
            yield member, revision, f"{where}/{member}"
