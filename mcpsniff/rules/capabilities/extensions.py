"""Extensions: how they are named, and who may use them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mcpsniff.protocol.extensions import declarations, extension_of, extensions_in
from mcpsniff.protocol.keys import PREFIXED, Labels
from mcpsniff.protocol.message import CLIENT
from mcpsniff.protocol.revisions import META_CLIENT_CAPABILITIES
from mcpsniff.protocol.schema import pointer
from mcpsniff.protocol.shape import Shape
from mcpsniff.rules.echoes import SERVER_CAPABILITIES
from mcpsniff.rules.rule import CONTEXTUAL, ERROR, INFO, Call, Found, Message, Rule, Session, quote
from mcpsniff.rules.when import by_client, is_method, meta_alone, when


def _declares(shape: Shape, session: Session) -> bool:
    """Whether it may declare extensions."""
    return shape.method == "initialize" or META_CLIENT_CAPABILITIES in shape.meta


def _may_use(shape: Shape, session: Session) -> bool:
    """Whether its method may be of an extension."""
    return (shape.method or "").startswith(("tasks/", "ui/", "subscriptions/"))


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

    @when(_declares, once=meta_alone)
    def on_request(self, message: Message, call: Call) -> Found:
        yield from self._judge(message)

    @when(is_method("server/discover"))
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
    """The client makes use of an extension that the server has not declared.

    ## Why it matters
    The server need not know it and answers -32601 at best.

    ## How to fix
    Use an extension only where the discover result declares it, and fall back elsewhere.

    ## When it stays silent
    Extensions that this tool does not know. Where no discover result was seen, it is information, and nothing where the
    capture began in mid-session or has gaps. What a server gives to a client that declares no extension is
    task-unsolicited or task-undeclared-not-rejected.
    """

    id = "extension-used-without-negotiation"
    title = "An extension feature was used although the other side never declared the extension"
    tier = 2
    severity = {"2026-07-28": ERROR}
    violator = CLIENT
    confidence = CONTEXTUAL
    since = "2026-07-28"
    spec = {"2026-07-28": "basic/versioning#extension-negotiation"}
    echoes = SERVER_CAPABILITIES

    @when(by_client, _may_use)
    def on_request(self, message: Message, call: Call) -> Found:
        extension = extension_of(message) if message.sender == CLIENT else None
        discover = self.session.discover_result
        if extension is None or extension in extensions_in(self.session.discovered_capabilities):
            return
        if discover is None and self.session.whole:
            text = f"{quote(call.method)} belongs to {extension}; no discover result in this capture declares it"
            yield self.found(message, text, fault=extension, severity=INFO)
        elif discover is not None:
            text = f"{quote(call.method)} belongs to {extension}, which record {discover.seq} does not declare"
            yield self.found(message, text, related=[discover.seq], fault=extension)
