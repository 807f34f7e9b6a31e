"""An elicitation request lacks something that the client needs."""

from collections.abc import Iterator, Mapping
from typing import Any

from mcpsniff.protocol.inputs import InputRequest
from mcpsniff.protocol.revisions import MODERN
from mcpsniff.rules.rule import SERVER, Found, Message, Rule, quote

from ._forms import CREATE

Needs = Mapping[str, tuple[tuple[str, type], ...]]  # mode → (member, type)
FORM = (("requestedSchema", dict),)
BY_REVISION: Mapping[str, Needs] = {
    "2025-06-18": {"form": FORM},
    "2025-11-25": {"form": FORM, "url": (("url", str), ("elicitationId", str))},
    MODERN: {"form": FORM, "url": (("url", str),)},
}


class ElicitationRequestIncomplete(Rule):
    """An elicitation request has no message, no schema for its form, or no URL.

    ## Why it matters
    The client has nothing to show to the user, and refuses.

    ## How to fix
    Form mode: `message` and `requestedSchema`. URL mode: `message` and `url`, in 2025-11-25 also `elicitationId`.

    ## When it stays silent
    An absent mode means form. Before 2025-11-25 mode is an unknown member. What error -32042 lists is
    url-elicitation-error-malformed.
    """

    title = "Elicitation request misses a required parameter"
    violator = SERVER
    since = "2025-06-18"
    spec = {
        "2025-06-18": "client/elicitation#creating-elicitation-requests",
        "2025-11-25": "client/elicitation#elicitation-requests",
    }
    yields_to = ("type-not-in-revision",)
    methods = (CREATE,)

    def on_input_request(self, message: Message, request: InputRequest) -> Found:
        if message.has_error:
            return
        found: dict[str, list[str]] = {}
        for revision, needs in BY_REVISION.items():
            if revision in request.revisions:
                for wrong in _defects(request.params, needs):
                    found.setdefault(wrong, []).append(revision)
        for wrong, known in found.items():
            yield self.found(message, f"elicitation/create: {wrong}", where=request.where, only_in=known)


def _defects(params: dict[str, Any], needs: Needs) -> Iterator[str]:
    """Gives what is missing or wrong, in words."""
    if not isinstance(params.get("message"), str):
        yield "message is missing or no string"
    mode = params.get("mode", "form") if len(needs) > 1 else "form"
    if not isinstance(mode, str) or mode not in needs:
        yield f"mode is {quote(mode)}"
        return
    for name, kind in needs[mode]:
        if not isinstance(params.get(name), kind):
            yield f"{name} is missing or {'no object' if kind is dict else 'no string'} ({mode} mode)"
