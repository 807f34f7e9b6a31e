"""Hides secrets before they are written: header values, URL, form and JSON members, command arguments.

A secret becomes `‹redacted:9f86d081:43›`: the start of its salted SHA-256, so that two uses of one can be told to be
the same within a capture, and its length in characters. Text around it stays as it was sent.
MCP messages are never touched here; the caller decides which bodies lie outside MCP.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Sequence
from itertools import pairwise
from urllib.parse import unquote_plus

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
OPTION_WORDS = ("token", "secret", "password", "key")

# What a recorder that has seen nothing yet can say in the header that it will hide.
POLICY = (*HEADERS, *(f"*{end}" for end in HEADER_ENDS), *MEMBERS)

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9-]*) +(\S+)")
_MEMBER_NAME = re.compile(r'"(?:[^"\\]|\\.)*+"(\s*:\s*)?')
_HEADER_ARGUMENT = re.compile(r"([A-Za-z0-9-]+)(:\s*)(.+)", re.DOTALL)


class Redactor:
    """Hides secrets with one salt per capture; passes everything through unless `enabled`."""

    def __init__(self, salt: bytes, enabled: bool = True) -> None:
        self._salt = salt
        self.enabled = enabled
        self.names = list(POLICY) if enabled else []  # for the header's `redacted`, http
        self.hidden: list[str] = []  # for the header's `redacted`, stdio: the options that `command` hid

    def value(self, text: str) -> str:
        """A header value, hidden; of one in two words the first, its scheme, stays."""
        words = _SCHEME.fullmatch(text)
        return f"{words[1]} {self._hide(words[2])}" if words else self._hide(text)

    def headers(self, pairs: Iterable[Sequence[str]]) -> list[list[str]]:
        """[name, value] pairs in their order, the secret values hidden."""
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

    def command(self, argv: Sequence[str]) -> list[str]:
        """An argument list with what follows, or is held by, an option with a secret's name hidden."""
        shown = list(argv[:1])
        for before, argument in pairwise(argv):
            if self.enabled and before.startswith("-") and "=" not in before and _is_secret_option(before):
                self._note(before)
                shown.append(self._hide(argument))
            else:
                shown.append(self._argument(argument))
        return shown

    def _argument(self, text: str) -> str:
        if not self.enabled:
            return text
        if text.startswith(("{", "[")):
            return self._json_text(text)
        if "://" in text.partition("=")[0]:
            return self.url(text)
        if header := _HEADER_ARGUMENT.fullmatch(text):  # `--header "Authorization: Bearer …"`
            return header[1] + header[2] + self._header(header[1], header[3])
        name, equals, value = text.partition("=")
        if not equals:
            return text
        if _is_secret_option(name):
            self._note(name)
            return f"{name}={self._hide(value)}"
        return f"{name}={self._argument(value)}"  # `--env=NAME_TOKEN=…`

    def _note(self, name: str) -> None:
        if name not in self.hidden:
            self.hidden.append(name)

    def _header(self, name: str, value: str) -> str:
        name = name.lower()
        if not self.enabled or name in OPEN_HEADERS:
            return value
        if name in HEADERS or name.endswith(HEADER_ENDS):
            return self.value(value)
        return self.url(value) if name in URL_HEADERS else value

    def _form_member(self, member: re.Match[str]) -> str:
        name, value = member[1], member[2]
        return f"{name}={self._hide(unquote_plus(value))}" if _is_secret_member(name) else f"{name}={value}"

    def _json_text(self, text: str) -> str:
        parts: list[str] = []
        done = 0
        for name in _MEMBER_NAME.finditer(text):
            if name.start() < done or not name[1] or not _is_secret_json_name(name[0]):
                continue
            end = _value_end(text, name.end())
            parts += (
                text[done : name.end()],
                json.dumps(self._hide(_plain(text[name.end() : end])), ensure_ascii=False),
            )
            done = end
        return "".join(parts) + text[done:]

    def _hide(self, secret: str) -> str:
        if not self.enabled:
            return secret
        digest = hashlib.sha256(self._salt + secret.encode("utf-8", "surrogatepass")).hexdigest()
        return f"‹redacted:{digest[:8]}:{len(secret)}›"


def _is_secret_option(name: str) -> bool:
    return any(word in name.lower() for word in OPTION_WORDS)


def _is_secret_member(name: str) -> bool:
    return unquote_plus(name).lower() in MEMBERS


def _is_secret_json_name(text: str) -> bool:
    return _plain(text.rpartition('"')[0] + '"').lower() in MEMBERS


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
