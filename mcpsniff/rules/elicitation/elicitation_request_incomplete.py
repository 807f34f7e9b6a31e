"""An elicitation request lacks something that the client needs."""

from collections.abc import Iterator
from typing import Any, ClassVar

from mcpsniff.protocol.mrtr import input_requests
from mcpsniff.protocol.schema import pointer
from mcpsniff.rules.rule import SERVER, Call, Found, Message, Rule, quote


class _Incomplete(Rule):
    """What the revisions share; the table says what a mode needs."""

    modes: ClassVar[dict[str, tuple[tuple[str, type], ...]]] = {}  # mode → (member, type)
    title = "Elicitation request misses a required parameter"
    violator = SERVER
    spec = {
        "2025-06-18": "client/elicitation#creating-elicitation-requests",
        "2025-11-25": "client/elicitation#elicitation-requests",
    }

    def defects(self, params: dict[str, Any]) -> Iterator[str]:
        """Gives what is missing or wrong, in words."""
        if not isinstance(params.get("message"), str):
            yield "message is missing or no string"
        mode = params.get("mode", "form") if len(self.modes) > 1 else "form"
        if not isinstance(mode, str) or mode not in self.modes:
            yield f"mode is {quote(mode)}"
            return
        for name, kind in self.modes[mode]:
            if not isinstance(params.get(name), kind):
                yield f"{name} is missing or {'no object' if kind is dict else 'no string'} ({mode} mode)"


class ElicitationRequestIncomplete(_Incomplete):
    """An elicitation request has no message, no schema for its form, or no URL.

    ## Why it matters
    The client has nothing to show to the user, and refuses.

    ## How to fix
    Form mode: `message` and `requestedSchema`. URL mode: `message` and `url`, in 2025-11-25 also `elicitationId`.

    ## When it stays silent
    An absent mode means form. Before 2025-11-25 mode is an unknown member.
    """

    id = "elicitation-request-incomplete"
    since, until = "2025-11-25", "2025-11-25"
    methods = ("elicitation/create",)
    modes = {"form": (("requestedSchema", dict),), "url": (("url", str), ("elicitationId", str))}

    def on_request(self, message: Message, call: Call) -> Found:
        if message.sender == SERVER:
            for wrong in self.defects(message.params):
                yield self.found(message, f"elicitation/create: {wrong}", where="/params")


class ElicitationRequestIncomplete2025June(ElicitationRequestIncomplete):
    """2025-06-18 has forms alone."""

    id = "elicitation-request-incomplete"
    since, until = "2025-06-18", "2025-06-18"
    modes = {"form": (("requestedSchema", dict),)}


class ElicitationEntryIncomplete(_Incomplete):
    """In 2026-07-28 the requests stand in inputRequests."""

    id = "elicitation-request-incomplete"
    since = "2026-07-28"
    modes = {"form": (("requestedSchema", dict),), "url": (("url", str),)}

    def on_answer(self, message: Message, call: Call | None) -> Found:
        for key, entry in input_requests(message).items():
            params = entry.get("params") if isinstance(entry, dict) else None
            if not isinstance(params, dict) or entry.get("method") != "elicitation/create":
                continue
            for wrong in self.defects(params):
                where = pointer("result", "inputRequests", key, "params")
                yield self.found(message, f"elicitation/create: {wrong}", where=where)
