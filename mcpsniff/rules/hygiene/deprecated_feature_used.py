"""What 2026-07-28 keeps for a while and would rather be rid of."""

from collections.abc import Iterator
from typing import Any

from mcpsniff.protocol.marks import Framing, Label
from mcpsniff.protocol.message import Kind
from mcpsniff.protocol.mrtr import input_requests
from mcpsniff.protocol.revisions import META_LOG_LEVEL
from mcpsniff.rules.rule import CONTEXTUAL, INFO, Call, Found, Message, Rule, Session
from mcpsniff.rules.when import either, has, is_method, meta_alone, result, when

BY_METHOD = {"roots/list": "roots", "sampling/createMessage": "sampling"}  # method of an input request → feature
CONTEXTS = ("thisServer", "allServers")


class DeprecatedFeatureUsed(Rule):
    """A feature is used that 2026-07-28 has deprecated: roots, sampling or logging.

    ## Why it matters
    It works until a later revision removes it. New programs should not begin with it.

    ## How to fix
    In the place of roots take tool arguments, resource URIs or configuration; for sampling call a model provider
    directly; for logging write to stderr, or use OpenTelemetry.

    ## When it stays silent
    All features of one side are said once. Programs that exist may use them until they are removed.
    """

    title = "A deprecated feature is in use"
    tier = 2
    severity = {"2026-07-28": INFO}
    since = "2026-07-28"
    confidence = CONTEXTUAL
    spec = {"2026-07-28": "deprecated#deprecated"}

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._first: dict[tuple[str, str, Framing], Message] = {}  # by sender, feature and framing

    @when(once=meta_alone)
    def on_request(self, message: Message, call: Call) -> Found:
        declared = call.client_capabilities or {}
        for feature in ("roots", "sampling"):
            if feature in declared:
                self._note(message, feature)
        if META_LOG_LEVEL in message.meta:
            self._note(message, "logging")
        yield from ()

    @when(is_method("notifications/message"))
    def on_notification(self, message: Message, call: Call | None) -> Found:
        if message.method == "notifications/message":
            self._note(message, "logging")
        yield from ()

    @when(result, either(is_method("server/discover"), has("inputRequests")))
    def on_answer(self, message: Message, call: Call | None) -> Found:
        if message.kind is not Kind.RESULT or call is None:
            return
        if call.method == "server/discover" and "logging" in _object(message.result.get("capabilities")):
            self._note(message, "logging")
        for feature in _asked(message):
            self._note(message, feature)
        yield from ()

    def _note(self, message: Message, feature: str) -> None:
        self._first.setdefault((message.sender, feature, message.mark.framing), message)

    def on_end(self) -> Found:
        sides: dict[tuple[str, Label], dict[str, Message]] = {}
        for (sender, feature, _), message in self._first.items():
            sides.setdefault((sender, message.mark.label), {}).setdefault(feature, message)
        for (sender, _), features in sides.items():
            first, *others = features.values()
            text = f"deprecated, but used by the {sender}: {', '.join(features)}"
            yield self.found(first, text, related=[message.seq for message in others])


def _asked(message: Message) -> Iterator[str]:
    """Gives the deprecated features that an answer asks the client for."""
    for entry in input_requests(message).values():
        method = entry.get("method") if isinstance(entry, dict) else None
        if isinstance(method, str) and method in BY_METHOD:
            yield BY_METHOD[method]
        if isinstance(entry, dict) and _object(entry.get("params")).get("includeContext") in CONTEXTS:
            yield "includeContext"


def _object(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}
