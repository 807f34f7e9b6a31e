"""The cache hints of a modern result are missing or wrong."""

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from mcpsniff.protocol.revisions import CACHEABLE, LISTS
from mcpsniff.rules.rule import ERROR, INFO, SERVER, WARNING, Call, Found, Message, Rule, quote
from mcpsniff.rules.when import unfinished, when

HINTS = ("ttlMs", "cacheScope")
SCOPES = ("public", "private")
LONG = 10 * 365 * 24 * 3600 * 1000  # milliseconds: ten years


class _CacheHints(Rule):
    """What both share."""

    violator = SERVER
    since = "2026-07-28"
    spec: ClassVar[Mapping[str, str]] = {"2026-07-28": "server/utilities/caching#cacheable-results"}
    methods: ClassVar[tuple[str, ...]] = tuple(sorted(CACHEABLE))


class MissingCacheHints(_CacheHints):
    """A result that clients may cache does not say for how long, or for whom.

    ## Why it matters
    Clients must guess: they ask again and again, or keep what should not be kept.

    ## How to fix
    Put `ttlMs` and `cacheScope` on every complete result of server/discover, resources/read and the lists, on each
    page. `ttlMs` 0 means: do not keep it.

    ## When it stays silent
    Errors, input_required results, other methods and servers of the handshake era have none. The result of a retry
    must not be kept anyway; there it is only noted.
    """

    id = "missing-cache-hints"
    title = "Cacheable result lacks ttlMs or cacheScope"

    def on_answer(self, message: Message, call: Call | None) -> Found:
        if call is None or not _cacheable(message, call):
            return
        missing = [name for name in HINTS if name not in message.result]
        if missing:
            text = f"the result of {call.method} has no {' and no '.join(missing)}"
            retry = any(name in call.request.params for name in ("inputResponses", "requestState"))
            yield self.found(message, text, where=f"/result/{missing[0]}", severity=INFO if retry else None)


class CacheHintInvalid(_CacheHints):
    """`ttlMs` is not a whole number of milliseconds from 0 on, or `cacheScope` is neither "public" nor "private".

    ## Why it matters
    Clients ignore the hint, or refuse the result.

    ## How to fix
    `ttlMs` is an integer ≥ 0, in milliseconds. `cacheScope` is "public" where every user gets the same, else "private".

    ## When it stays silent
    0 is legal, 60000.0 is an integer. More than ten years is noted.
    """

    id = "cache-hint-invalid"
    title = "ttlMs or cacheScope has an illegal value"

    def on_answer(self, message: Message, call: Call | None) -> Found:
        if call is None or not _cacheable(message, call):
            return
        for name, wrong, severity in _wrong_hints(message.result):
            text = f"{name} of the result of {call.method} {wrong}"
            yield self.found(message, text, where=f"/result/{name}", fault=name, severity=severity)


class CacheHintsOnInputRequired(_CacheHints):
    """An `input_required` result carries `ttlMs` or `cacheScope`.

    ## Why it matters
    A question is for one call and one moment; a cache that keeps it serves it to others.

    ## How to fix
    Put the hints on complete results alone.

    ## When it stays silent
    Results of other types.
    """

    id = "cache-hints-on-input-required"
    title = "InputRequiredResult carries caching hints"
    tier = 2
    severity = {"2026-07-28": WARNING}
    methods = ()

    @when(unfinished)
    def on_answer(self, message: Message, call: Call | None) -> Found:
        hints = [name for name in HINTS if name in message.result]
        if call is not None and hints and message.result.get("resultType") == "input_required":
            text = f"the input_required result of {call.method} carries {' and '.join(hints)}"
            yield self.found(message, text, related=[call.seq], where=f"/result/{hints[0]}")


class CacheScopeInconsistent(_CacheHints):
    """The pages of one list differ in `cacheScope`.

    ## Why it matters
    A client that keeps the list as a whole shares with all what is for one user, or asks again without need.

    ## How to fix
    Decide the scope once for a list and repeat it on every page.

    ## When it stays silent
    `ttlMs` may differ from page to page. Pages that no cursor links are of different walks.
    """

    id = "cache-scope-inconsistent"
    title = "Pages of one list walk have different cacheScope"
    tier = 2
    severity = {"2026-07-28": ERROR}
    spec = {"2026-07-28": "server/utilities/caching#interaction-with-pagination"}
    methods = tuple(sorted(CACHEABLE & LISTS.keys()))

    def on_answer(self, message: Message, call: Call | None) -> Found:
        walk = self.session.lists.walk(call) if call is not None and not message.has_error else None
        scope = message.result.get("cacheScope")
        first = walk.pages[0][2] if walk is not None else None
        if call is None or first is None or scope not in SCOPES:
            return
        before = first.result.get("cacheScope")
        if before in SCOPES and before != scope:
            text = f"this page of {call.method} is {scope}, the first one (record {first.seq}) {before}"
            yield self.found(message, text, related=[first.seq, call.seq], where="/result/cacheScope")


def _cacheable(message: Message, call: Call) -> bool:
    return message.sender == SERVER and not call.twin and message.result.get("resultType") == "complete"


def _wrong_hints(result: dict[str, Any]) -> Iterator[tuple[str, str, str | None]]:
    if "ttlMs" in result:
        ttl = result["ttlMs"]
        whole = isinstance(ttl, int) or (isinstance(ttl, float) and ttl.is_integer())
        if isinstance(ttl, bool) or not whole or ttl < 0:
            yield "ttlMs", f"is not a whole number from 0 on: {quote(ttl)}", None
        elif ttl > LONG:
            yield "ttlMs", f"is more than ten years: {quote(ttl)}", INFO
    if "cacheScope" in result and result["cacheScope"] not in SCOPES:
        yield "cacheScope", f"is neither public nor private: {quote(result['cacheScope'])}", None
