"""Retries of a call with other parameters."""

from collections.abc import Iterator
from typing import Any

from mcpsniff.protocol.mrtr import Leg
from mcpsniff.protocol.schema import pointer
from mcpsniff.rules.rule import CLIENT, CONTEXTUAL, WARNING, Call, Found, Message, Rule, quote
from mcpsniff.rules.when import retry, when

from ._state import UNSEEN, unseen

OWN = frozenset(("_meta", "inputResponses", "requestState"))  # members in which a retry differs
SHOWN = 3  # differences


class RetryParamsChanged(Rule):
    """A retry has other parameters than the request that was answered with questions.

    ## Why it matters
    The answers were given for the first request; the server may check the state against the arguments and refuse.

    ## How to fix
    Send the original request again, with `inputResponses` and `requestState` added and nothing else changed.

    ## When it stays silent
    `_meta` may change. Where another open question fits the parameters, the retry is meant for that one; without the
    beginning of the session there may be such a one.
    """

    title = "Retry changes the arguments of the original request"
    tier = 2
    severity = {"2026-07-28": WARNING}
    violator = CLIENT
    confidence = CONTEXTUAL
    since = "2026-07-28"
    spec = {"2026-07-28": "basic/patterns/mrtr#multi-round-trip-requests"}
    by_value = True

    @when(retry)
    def on_request(self, message: Message, call: Call) -> Found:
        leg: Leg | None = call.leg
        if leg is None or not leg.surely_meant(message):
            return
        changed = list(_differences(_own(leg.call.request), _own(message)))
        if changed and unseen(self.session):
            yield self.unchecked(UNSEEN)
        elif changed:
            text = f"the retry of record {leg.call.seq} changes {', '.join(quote(where) for where in changed[:SHOWN])}"
            yield self.found(message, text, related=[leg.call.seq, leg.seq], where=changed[0])


def _own(request: Message) -> dict[str, Any]:
    return {name: value for name, value in request.params.items() if name not in OWN}


def _differences(before: dict[str, Any], after: dict[str, Any]) -> Iterator[str]:
    """Gives the places where two params differ: members, and members of arguments."""
    for name in sorted({*before, *after}):
        old, new = before.get(name), after.get(name)
        if old == new and (name in before) == (name in after):
            continue
        if isinstance(old, dict) and isinstance(new, dict):
            inner = (one for one in sorted({*old, *new}) if old.get(one, ...) != new.get(one, ...))
            yield from (pointer("params", name, one) for one in inner)
        else:
            yield pointer("params", name)
