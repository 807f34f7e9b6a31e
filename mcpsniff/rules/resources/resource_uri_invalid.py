"""A resource's URI is none."""

import re
from collections.abc import Iterator

from mcpsniff.protocol.content import CONTENTS, RESOURCE, TEMPLATE, Piece
from mcpsniff.protocol.revisions import LEGACY, MODERN, REVISIONS
from mcpsniff.rules.rule import ERROR, INFO, WARNING, Call, Found, Message, Rule, Session, quote
from mcpsniff.rules.when import is_method, when

SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
FORBIDDEN = re.compile(r'[\x00-\x20\x7f"<>\\^`{|}]')
BAD_ESCAPE = re.compile(r"%(?![0-9A-Fa-f]{2})")
EXPRESSION = re.compile(r"\{[^{}]+\}")  # RFC 6570
KEPT = 10_000  # URIs that are not said again
NAMED = ("resources/read", "resources/subscribe", "resources/unsubscribe", "notifications/resources/updated")


class ResourceUriInvalid(Rule):
    """A resource URI has no scheme, or holds characters that RFC 3986 does not allow.

    ## Why it matters
    The other side cannot parse it, or reads another resource.

    ## How to fix
    Begin with a scheme (a letter, then letters, digits, plus, hyphen or dot; no underscore), encode the rest with
    percent signs: `my-docs://my%20notes`.

    ## When it stays silent
    Opaque URIs and an empty host are legal. Templates are read as RFC 6570: their braces must match. Characters beyond
    ASCII are a note before 2026-07-28. Each URI is said once, of the side that named it first.
    """

    title = "A resource URI does not follow RFC 3986"
    tier = 2
    severity = {"2024-11-05": WARNING, "2025-06-18": ERROR}
    spec = {"2024-11-05": "server/resources", "2025-06-18": "server/resources#custom-uri-schemes"}
    yields_to = ("embedded-resource-incomplete",)

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._said: set[str] = set()

    @when(is_method(*NAMED))
    def on_request(self, message: Message, call: Call) -> Found:
        if message.method in NAMED:
            yield from self._look(message, "/params/uri", message.params.get("uri"))

    @when(is_method(*NAMED))
    def on_notification(self, message: Message, call: Call | None) -> Found:
        if message.method in NAMED:
            yield from self._look(message, "/params/uri", message.params.get("uri"))

    def on_content(self, message: Message, pieces: list[Piece]) -> Found:
        for piece in pieces:
            if piece.kind == TEMPLATE:
                yield from self._look(
                    message, f"{piece.where}/uriTemplate", piece.value.get("uriTemplate"), template=True
                )
            elif piece.kind in (RESOURCE, CONTENTS) or piece.type == "resource_link":
                yield from self._look(message, f"{piece.where}/uri", piece.value.get("uri"))

    def _look(self, message: Message, where: str, uri: object, *, template: bool = False) -> Found:
        if not isinstance(uri, str) or uri in self._said:
            return
        flaws = list(_template_flaws(uri) if template else _flaws(uri))
        if flaws and len(self._said) < KEPT:
            self._said.add(uri)
        for wrong, severity, known in flaws:
            text = f"URI {'template ' if template else ''}{quote(uri)} {wrong}"
            yield self.found(message, text, where=where, severity=severity, fault=severity or "", only_in=known)


Flaw = tuple[str, str | None, tuple[str, ...]]  # in words, severity, revisions


def _flaws(uri: str) -> Iterator[Flaw]:
    wrong = _wrong(uri)
    if wrong is not None:
        yield wrong, None, REVISIONS
    elif not uri.isascii():
        yield "has characters beyond ASCII", INFO, LEGACY
        yield "has characters beyond ASCII", None, (MODERN,)


def _template_flaws(template: str) -> Iterator[Flaw]:
    literal = EXPRESSION.sub("", template)
    if "{" in literal or "}" in literal:
        yield "has braces that do not match", None, REVISIONS
        return
    if template.startswith("{") or re.fullmatch(r"[A-Za-z][A-Za-z0-9+.-]*", template.partition("{")[0]):
        literal = f"x:{literal}"  # the scheme, or a part of it, is an expression
    yield from _flaws(literal)


def _wrong(uri: str) -> str | None:
    """Gives what is wrong with a URI, in words."""
    if not SCHEME.match(uri):
        return "has no valid scheme"
    forbidden = FORBIDDEN.search(uri)
    if forbidden is not None:
        return f"holds {forbidden[0]!r} unencoded"
    return "has a percent sign that encodes nothing" if BAD_ESCAPE.search(uri) else None
