"""Hides secrets before they are written: header values, URL, form and JSON members, command arguments.

A secret becomes `‹redacted:9f86d081:43›`: the start of its salted SHA-256, so that two uses of one can be told to be
the same within a capture, and its length in characters. Text around it stays as it was sent.
MCP messages are touched only where the user has pointed; the caller decides which bodies lie outside MCP.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, pairwise, zip_longest
from urllib.parse import unquote_plus

from mcpsniff.wire.pointer import overlap, spans, tokens

HEADERS = (
    "authorization",
    "proxy-authorization",
    "cookie",
    "set-cookie",
    "x-api-key",
    "api-key",
    "x-auth-token",
)
HEADER_ENDS = ("-token", "-secret", "-key")
OPEN_HEADERS = ("sec-websocket-key", "idempotency-key")
URL_HEADERS = ("location", "content-location", "referer")  # their values can carry a member in a query
MEMBERS = (
    "access_token",
    "refresh_token",
    "id_token",
    "token",
    "api_key",
    "apikey",
    "key",
    "secret",
    "client_secret",
    "password",
    "code",
    "code_verifier",
    "assertion",
)
# Parts of messages that clients repeat in a header, and the header's name or its start.
MIRRORS = (
    ("/method", "mcp-method"),
    ("/params/name", "mcp-name"),
    ("/params/uri", "mcp-name"),
    ("/params/arguments", "mcp-param-"),
)
MARK = "‹redacted:"  # with which each replacement of a secret begins
OPTION_WORDS = ("token", "secret", "password", "key")

# What a recorder that has seen nothing yet can say in the header that it will hide.
POLICY = (*HEADERS, *(f"*{end}" for end in HEADER_ENDS), *MEMBERS)

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9-]* +)(\S+)")
_MEMBER_NAME = re.compile(r'("(?:[^"\\]|\\.)*+")(\s*:\s*)?')
_HEADER_ARGUMENT = re.compile(r"([A-Za-z0-9-]+)(:\s*)(.+)", re.DOTALL)
_BLANKS = re.compile(r"(\s+)")


class Redactor:
    """Hides secrets with one salt per capture; passes everything through unless `enabled`."""

    def __init__(self, salt: bytes, enabled: bool = True, pointers: Sequence[str] = ()) -> None:
        """`pointers` name what is secret inside MCP messages, as JSON Pointers; they hold even where not `enabled`."""
        self._salt = salt
        self.enabled = enabled
        self.names = [*(POLICY if enabled else ()), *pointers]  # for the header's `redacted`, http
        self._paths = [tokens(pointer) for pointer in pointers]
        self._mirrors = tuple(name for above, name in MIRRORS for pointer in pointers if overlap(above, pointer))
        self.hidden: list[str] = []  # for the header's `redacted`, stdio: names of what `command` hid

    def value(self, text: str) -> str:
        """A header value, hidden; of one in two words the first, its scheme, stays."""
        words = _SCHEME.fullmatch(text)
        return words[1] + self._hide(words[2]) if words else self._hide(text)

    def conceal(self, secret: str) -> str:
        """The form of a secret, whether redaction is enabled or not."""
        digest = hashlib.sha256(self._salt + secret.encode("utf-8", "surrogatepass")).hexdigest()
        return f"{MARK}{digest[:8]}:{len(secret)}›"

    def headers(self, pairs: Iterable[Sequence[str]]) -> list[list[str]]:
        """[name, value] pairs in their order, the secret values hidden, and those that mirror a secret of a message."""
        return [[name, self._header(name, value)] for name, value in pairs]

    def url(self, text: str) -> str:
        """A URL with the secret members of its query (and of a fragment in query form) hidden."""
        return re.sub(r"(?<=[?&#;])([^=&#;?]+)=([^&#;]*)", self._form_member, text) if self.enabled else text

    def form(self, body: bytes) -> bytes:
        """A form body with its secret members hidden."""
        if not self.enabled:
            return body
        text = body.decode("utf-8", "surrogateescape")
        return re.sub(r"([^=&]+)=([^&]*)", self._form_member, text).encode("utf-8", "surrogateescape")

    def json(self, body: bytes) -> bytes:
        """A JSON body with the values of its secret members hidden, at any depth; all other bytes stay."""
        if not self.enabled:
            return body
        text = body.decode("utf-8", "surrogateescape")
        return self._json_text(text).encode("utf-8", "surrogateescape")

    def body(self, content_type: str, body: bytes) -> bytes:
        """A body outside MCP endpoints, its secret members hidden as its media type says where they stand."""
        kind = content_type.partition(";")[0].strip().lower()
        if kind == "application/x-www-form-urlencoded":
            return self.form(body)
        return self.json(body) if kind.endswith(("/json", "+json")) else body

    @property
    def points(self) -> bool:
        """Whether something is secret inside MCP messages."""
        return bool(self._paths)

    def message(self, body: bytes) -> bytes:
        """An MCP message (or a batch) with the values that the pointers name hidden; all other bytes stay."""
        text = body.decode("utf-8", "surrogateescape")
        for path in self._paths:
            for start, end in sorted(spans(text, path), reverse=True):
                hidden = json.dumps(self.conceal(_plain(text[start:end])), ensure_ascii=False)
                text = text[:start] + hidden + text[end:]
        return text.encode("utf-8", "surrogateescape")

    def command(self, argv: Sequence[str]) -> list[str]:
        """An argument list with what follows, or is held by, an option with a secret's name hidden."""
        return [*argv[:1], *self._arguments(argv)] if self.enabled else list(argv)

    def _arguments(self, words: Sequence[str]) -> Iterator[str]:
        for before, word in pairwise(words):
            if before.startswith("-") and "=" not in before and _is_secret_option(before):
                self._note(before)
                yield self._hide(word)
            else:
                yield self._argument(word)

    def _argument(self, text: str) -> str:
        if text.startswith(("{", "[")):
            return self._inner(text)
        if header := _HEADER_ARGUMENT.fullmatch(text):  # `--header "Authorization: Bearer …"`
            value = self._header(header[1], header[3])
            if value != header[3]:
                self._note(header[1])
                return header[1] + header[2] + value
        words = _BLANKS.split(text)
        if len(words) > 1:  # a line for a shell, after `sh -c`
            shown = self._arguments(["", *words[::2]])
            return "".join(chain.from_iterable(zip_longest(shown, words[1::2], fillvalue="")))
        name, equals, value = text.partition("=")
        if not equals or "://" in name:
            return self.url(text)
        if _is_secret_option(name):
            self._note(name)
            return f"{name}={self._hide(value)}"
        if name.startswith("-"):  # `--env=NAME_TOKEN=…`
            return f"{name}={self._argument(value)}"
        return f"{name}={self._inner(value)}"

    def _inner(self, text: str) -> str:
        """JSON (`--config '{"apiKey": …}'`) or anything else that may be a URL."""
        return self._json_text(text) if text.startswith(("{", "[")) else self.url(text)

    def _note(self, name: str) -> None:
        if name not in self.hidden:
            self.hidden.append(name)

    def _header(self, name: str, value: str) -> str:
        name = name.lower()
        if self._mirrors and name.startswith(self._mirrors):
            return self.conceal(value)
        if not self.enabled or name in OPEN_HEADERS:
            return value
        if name in HEADERS or name.endswith(HEADER_ENDS):
            return self.value(value)
        return self.url(value) if name in URL_HEADERS else value

    def _form_member(self, member: re.Match[str]) -> str:
        name = unquote_plus(member[1]).lower()
        if name not in MEMBERS:
            return member[0]
        self._note(name)
        return f"{member[1]}={self._hide(unquote_plus(member[2]))}"

    def _json_text(self, text: str) -> str:
        parts: list[str] = []
        done = 0
        for found in _MEMBER_NAME.finditer(text):
            name = _plain(found[1]).lower()
            if found.start() < done or not found[2] or name not in MEMBERS:
                continue
            self._note(name)
            start, end = found.end(), _value_end(text, found.end())
            hidden = json.dumps(self._hide(_plain(text[start:end])), ensure_ascii=False)
            parts += (text[done:start], hidden)
            done = end
        return "".join(parts) + text[done:]

    def _hide(self, secret: str) -> str:
        return self.conceal(secret) if self.enabled else secret


def _is_secret_option(name: str) -> bool:
    return any(word in name.lower() for word in OPTION_WORDS)


def _plain(text: str) -> str:
    """What a JSON string says; of any other text the text itself."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return text
    return value if isinstance(value, str) else text


def _value_end(text: str, start: int) -> int:
    """Where the JSON value that starts at `start` ends; the end of the text where it is broken."""
    try:
        return _decoder.raw_decode(text, start)[1]
    except (ValueError, RecursionError):
        return len(text)


_decoder = json.JSONDecoder(parse_int=str, parse_float=str)
