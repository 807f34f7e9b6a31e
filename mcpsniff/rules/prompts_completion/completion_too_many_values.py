"""A completion result is too long, or its figures do not agree."""

from collections.abc import Iterator
from typing import Any

from mcpsniff.protocol.revisions import LEGACY, MODERN, REVISIONS
from mcpsniff.rules.rule import ERROR, INFO, SERVER, Call, Found, Message, Rule

MOST = 100  # values of one result


class CompletionTooManyValues(Rule):
    """A completion result holds more than 100 values.

    ## Why it matters
    Clients may cut the list or refuse the result.

    ## How to fix
    Send the best 100, set `hasMore`, and say in `total` how many there are.

    ## When it stays silent
    `total` may be larger than 100. Figures that do not agree (a total below the number of values, nothing more although
    the total says so) are notes.
    """

    title = "Completion result holds more than 100 values"
    tier = 2
    violator = SERVER
    spec = {"2024-11-05": "server/utilities/completion#completion-results"}
    methods = ("completion/complete",)

    def on_answer(self, message: Message, call: Call | None) -> Found:
        completion = message.result.get("completion")
        if call is None or not isinstance(completion, dict) or not isinstance(completion.get("values"), list):
            return
        for wrong, severity, known in _wrong(completion, len(completion["values"])):
            yield self.found(message, wrong, related=[call.seq], severity=severity, fault=severity, only_in=known)


def _wrong(completion: dict[str, Any], count: int) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    total, more = completion.get("total"), completion.get("hasMore")
    if count > MOST:
        yield f"{count} values", ERROR, REVISIONS
    if isinstance(total, bool) or not isinstance(total, (int, float)):
        return
    if total < count:
        yield f"total is {total}, but there are {count} values", INFO, LEGACY
    elif total > count and not more:
        yield (
            f"total is {total}, there are {count} values, and hasMore is not set",
            INFO,
            LEGACY if more is False else (),
        )
        yield f"total is {total}, there are {count} values, and hasMore is not set", INFO, (MODERN,)
