"""What 2026-07-28 keeps for a while and would rather be rid of."""

from collections.abc import Iterator
from typing import Any

from mcpsniff.protocol.message import Kind
from mcpsniff.protocol.mrtr import input_requests
from mcpsniff.protocol.revisions import META_LOG_LEVEL
from mcpsniff.rules.rule import CONTEXTUAL, INFO, Call, Found, Message, Rule, Session

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
    Each feature is said once for each side.
    """

    title = "A deprecated feature is in use"
    tier = 2
    severity = {"2026-07-28": INFO}
    since = "2026-07-28"
    confidence = CONTEXTUAL
    spec = {"2026-07-28": "deprecated#deprecated"}

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._said: set[tuple[str, str]] = set()  # sender, feature

    def on_request(self, message: Message, call: Call) -> Found:
        declared = call.client_capabilities or {}
        for feature in ("roots", "sampling"):
            if feature in declared:
                yield from self._say(message, feature, f"the client declares {feature}")
        if META_LOG_LEVEL in message.meta:
            yield from self._say(message, "logging", "the request asks for log messages")

    def on_notification(self, message: Message, call: Call | None) -> Found:
        if message.method == "notifications/message":
            yield from self._say(message, "logging", "the server sends log messages")

    def on_answer(self, message: Message, call: Call | None) -> Found:
        if message.kind is not Kind.RESULT or call is None:
            return
        if call.method == "server/discover" and "logging" in _object(message.result.get("capabilities")):
            yield from self._say(message, "logging", "the server declares logging")
        for feature, text in _asked(message):
            yield from self._say(message, feature, text)

    def _say(self, message: Message, feature: str, text: str) -> Found:
        if (message.sender, feature) not in self._said:
            self._said.add((message.sender, feature))
            yield self.found(message, f"{text}, a deprecated feature", fault=feature)


def _asked(message: Message) -> Iterator[tuple[str, str]]:
    """Gives the deprecated features that an answer asks the client for."""
    for entry in input_requests(message).values():
        method = entry.get("method") if isinstance(entry, dict) else None
        if isinstance(method, str) and method in BY_METHOD:
            yield BY_METHOD[method], f"the server asks for {method}"
        if isinstance(entry, dict) and _object(entry.get("params")).get("includeContext") in CONTEXTS:
            yield "includeContext", "the server asks for the context of servers"


def _object(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}
