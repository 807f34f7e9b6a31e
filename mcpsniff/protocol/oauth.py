"""One step of an OAuth exchange: what it is for, what was asked and what came back.

A step is told by its URL, its parameters or its body (2026-07-28 basic/authorization; RFC 6749, 8414, 9728, 7591).
Secrets may be redacted: equal texts mean equal secrets, and nothing more. Judges nothing.
"""

from __future__ import annotations

import re
from enum import Enum
from typing import Any
from urllib.parse import parse_qsl

from .exchange import HttpExchange, origin_of, split_url
from .message import CLIENT

PRM = "oauth-protected-resource"
OAUTH = "oauth-authorization-server"
OPENID = "openid-configuration"
WELL_KNOWN = "/.well-known/"

_AUTHORIZE_PATHS = ("authorize", "authorization", "auth")
_LOOPBACK = re.compile(r"localhost|127(\.\d+){3}|::1")


class StepKind(Enum):
    """What an exchange beside MCP is for."""

    __hash__ = object.__hash__  # that of Enum is a Python function

    RESOURCE = "protected resource metadata"
    SERVER = "authorization server metadata"
    AUTHORIZE = "authorization request"
    TOKEN = "token request"
    REGISTER = "client registration"
    CLIENT = "client id metadata document"
    OTHER = "another request"  # with a token that an MCP server was sent


class Step:
    """One such exchange; `params` are those of query and form, `document` is the JSON object that came back."""

    __slots__ = ("at", "body", "document", "exchange", "kind", "mark", "params", "reply_seq", "seq")

    def __init__(self, kind: StepKind, exchange: HttpExchange, params: dict[str, str]) -> None:
        self.kind = kind
        self.exchange = exchange
        self.seq = exchange.seq
        self.at = exchange.opened_at  # seconds
        self.mark: Any = None  # era mark, set when its session is known
        self.params = params  # of a repeated one the first value
        self.body = request_object(exchange)  # JSON object that was sent
        self.document = reply_object(exchange)
        self.reply_seq = _reply_seq(exchange)

    @property
    def url(self) -> str:
        """The URL without query and fragment."""
        return bare_url(self.exchange.url)

    @property
    def ok(self) -> bool:
        """Whether it was answered with success and a JSON object."""
        status = self.exchange.status
        return status is not None and 200 <= status < 300 and self.document is not None

    @property
    def given(self) -> dict[str, Any]:
        """The JSON object that came back with success; empty where there is none."""
        return (self.document or {}) if self.ok else {}

    @property
    def asks_for_code(self) -> bool:
        """Whether it is an authorization request of the code flow."""
        return self.kind is StepKind.AUTHORIZE and self.params.get("response_type", "code") == "code"

    @property
    def redeems_code(self) -> bool:
        """Whether it is a token request that redeems a code."""
        return self.kind is StepKind.TOKEN and self.params.get("grant_type") == "authorization_code"

    @property
    def redirect(self) -> dict[str, str]:
        """The parameters of the redirect that answers an authorization request; empty where there is none."""
        status, location = self.exchange.status, self.exchange.reply_header("location")
        moved = status is not None and 300 <= status < 400 and location is not None
        return _first(parse_qsl(split_url(location or "").query, keep_blank_values=True)) if moved else {}


# URLs


def bare_url(url: str) -> str:
    """Gives a URL without query and fragment; scheme and host in lower case."""
    parts = split_url(url)
    return f"{origin_of(url)}{parts.path}"


def is_loopback(url: str) -> bool:
    """Whether a URL names this machine."""
    return _LOOPBACK.fullmatch(split_url(url).hostname or "") is not None


def well_known(url: str) -> tuple[str, str] | None:
    """Gives the name of a well-known document and the path of what it describes (RFC 8615); None where it is none."""
    path = split_url(url).path
    before, found, after = path.partition(WELL_KNOWN)
    if not found:
        return None
    name, slash, rest = after.partition("/")
    return name, (before or slash + rest).rstrip("/")


def issuer_of(url: str) -> str | None:
    """Gives the issuer for which a metadata document is found under this URL."""
    found = well_known(url)
    return None if found is None else origin_of(url) + found[1]


# which step


def step_of(exchange: HttpExchange, named: StepKind | None) -> Step | None:
    """Gives the step that an exchange is, or None; `named` is what metadata said of its URL."""
    form = _form(exchange)
    kind = named or _by_url(exchange) or _by_params(exchange, form)
    return None if kind is None else Step(kind, exchange, form)


def _by_url(exchange: HttpExchange) -> StepKind | None:
    name, _ = well_known(exchange.url) or ("", "")
    if exchange.method != "GET":
        return None
    return {PRM: StepKind.RESOURCE, OAUTH: StepKind.SERVER, OPENID: StepKind.SERVER}.get(name)


def _by_params(exchange: HttpExchange, form: dict[str, str]) -> StepKind | None:
    if exchange.method == "POST":
        if "grant_type" in form:
            return StepKind.TOKEN
        return StepKind.REGISTER if "redirect_uris" in request_object(exchange) else None
    last = split_url(exchange.url).path.rpartition("/")[2]
    asks = "response_type" in form or "code_challenge" in form or last in _AUTHORIZE_PATHS
    return StepKind.AUTHORIZE if exchange.method == "GET" and "client_id" in form and asks else None


def _form(exchange: HttpExchange) -> dict[str, str]:
    """Gives the parameters of the query and of a form in the body."""
    pairs = list(exchange.query)
    media_type = (exchange.header("content-type") or "").partition(";")[0].strip().lower()
    if media_type == "application/x-www-form-urlencoded":
        for sender, _, text in exchange.texts:
            pairs += parse_qsl(text, keep_blank_values=True) if sender == CLIENT else ()
    return _first(pairs)


def _first(pairs: list[tuple[str, str]]) -> dict[str, str]:
    out: dict[str, str] = {}
    for name, value in pairs:
        out.setdefault(name, value)
    return out


def request_object(exchange: HttpExchange) -> dict[str, Any]:
    """Gives the JSON object that was sent, where it is no JSON-RPC message; else an empty one."""
    value = exchange.messages[0].value if exchange.messages and not exchange.messages[0].has_envelope else None
    return value if isinstance(value, dict) else {}


def reply_object(exchange: HttpExchange) -> dict[str, Any] | None:
    """Gives the JSON object that came back, or None."""
    value = exchange.body.value if exchange.body is not None else None
    return value if isinstance(value, dict) else None


def _reply_seq(exchange: HttpExchange) -> int | None:
    return exchange.body.seq if exchange.body is not None else exchange.reply_seq
