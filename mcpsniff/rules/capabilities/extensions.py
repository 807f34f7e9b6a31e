"""Extensions: how they are named, and who may use them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mcpsniff.protocol.extensions import declarations, extension_of, extensions_in
from mcpsniff.protocol.keys import PREFIXED, Labels
from mcpsniff.protocol.message import CLIENT
from mcpsniff.protocol.revisions import TASKS_EXTENSION
from mcpsniff.protocol.schema import pointer
from mcpsniff.rules.rule import CONTEXTUAL, ERROR, INFO, SERVER, Call, Found, Message, Rule, Session, quote


class ExtensionIdInvalid(Rule):
    """A key of `capabilities.extensions` is no extension identifier, or its value is no object.

    ## Why it matters
    The other side knows extensions by their full name: one without a prefix is nobody's.

    ## How to fix
    Write `prefix/name` with a prefix in reverse DNS order (`io.modelcontextprotocol/tasks`), and settings as an object.

    ## When it stays silent
    Unknown identifiers of the right form.
    """

    id = "extension-id-invalid"
    title = "An extension identifier lacks a prefix or breaks the key grammar"
    tier = 2
    severity = {"2026-07-28": ERROR}
    since = "2026-07-28"
    spec = {"2026-07-28": "basic/versioning#extension-negotiation"}

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._labels = Labels()

    def on_request(self, message: Message, call: Call) -> Found:
        yield from self._judge(message)

    def on_answer(self, message: Message, call: Call | None) -> Found:
        if call is not None and call.method == "server/discover":
            yield from self._judge(message)

    def _judge(self, message: Message) -> Found:
        for path, declared in declarations(message):
            for name, wrong in _faults(declared):
                text = f'"{quote(name)}" {wrong}'
                yield self.found(message, text, where=pointer(*path, name), fault=self._labels.of(name))


def _faults(declared: dict[str, Any]) -> Iterator[tuple[str, str]]:
    for name, settings in declared.items():
        if not PREFIXED.fullmatch(name):
            yield name, "is no extension identifier: prefix/name"
        elif not isinstance(settings, dict):
            yield name, f"is declared with {quote(settings, 40)}, not with an object"


class ExtensionUsedWithoutNegotiation(Rule):
    """One side makes use of an extension that the other one has not declared.

    ## Why it matters
    The other side need not know it: the client cannot read a task in place of a result, the server answers -32601.

    ## How to fix
    Use an extension only where both declare it: the server in its discover result, the client with the request that is
    being answered. Fall back, or answer -32021.

    ## When it stays silent
    Extensions that this tool does not know. An error in answer to the use is right. Where no discover result was seen,
    the use by a client is information.
    """

    id = "extension-used-without-negotiation"
    title = "An extension feature was used although the other side never declared the extension"
    tier = 2
    severity = {"2026-07-28": ERROR}
    confidence = CONTEXTUAL
    since = "2026-07-28"
    spec = {"2026-07-28": "basic/versioning#extension-negotiation"}
    yields_to = ("task-unsolicited",)

    def on_request(self, message: Message, call: Call) -> Found:
        extension = extension_of(message) if message.sender == CLIENT else None
        discover = self.session.discover_result
        if extension is None or extension in extensions_in(self.session.discovered_capabilities):
            return
        if discover is None:
            text = f"{quote(call.method)} belongs to {extension}; no discover result in this capture declares it"
            yield self.found(message, text, fault=extension, severity=INFO)
        else:
            text = f"{quote(call.method)} belongs to {extension}, which record {discover.seq} does not declare"
            yield self.found(message, text, related=[discover.seq], fault=extension)

    def on_answer(self, message: Message, call: Call | None) -> Found:
        if call is None or message.sender != SERVER or message.result.get("resultType") != "task":
            return
        declared = call.client_capabilities
        if declared is not None and TASKS_EXTENSION not in extensions_in(declared):
            text = f"a task in answer to {call.method}, and record {call.seq} does not declare {TASKS_EXTENSION}"
            yield self.found(message, text, related=[call.seq], fault=TASKS_EXTENSION)

    def on_notification(self, message: Message, call: Call | None) -> Found:
        if message.method != "notifications/tasks" or message.sender != SERVER:
            return
        sub = self.session.subscriptions.of(message)
        declared = sub.call.client_capabilities if sub is not None else None
        if sub is not None and declared is not None and TASKS_EXTENSION not in extensions_in(declared):
            text = f"{message.method}, and record {sub.call.seq} does not declare {TASKS_EXTENSION}"
            yield self.found(message, text, related=[sub.call.seq], fault=TASKS_EXTENSION)
