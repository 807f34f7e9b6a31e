"""Refusals for want of authorization: what the response of an MCP endpoint asks for (RFC 9110, RFC 6750)."""

from __future__ import annotations

import re
from typing import Any

from .credentials import scopes
from .exchange import HttpExchange, header_values
from .oauth import reply_object

ERROR_STATUS = {"invalid_token": 401, "insufficient_scope": 403, "invalid_request": 400}  # RFC 6750 3.1

_CHALLENGE = re.compile(r"""([\w!#$%&'*+.^`|~-]+)(\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]*)))?""")
_ESCAPED = re.compile(r"\\(.)")


def challenges(values: list[str]) -> dict[str, dict[str, str]]:
    """Gives the challenges of WWW-Authenticate lines: scheme in lower case → its parameters (RFC 9110 11.6.1)."""
    out: dict[str, dict[str, str]] = {}
    for value in values:
        params: dict[str, str] = {}
        for name, given, quoted, plain in _CHALLENGE.findall(value[:8_000]):
            if given:
                params.setdefault(name.lower(), plain or _ESCAPED.sub(r"\1", quoted))
            else:
                params = out.setdefault(name.lower(), {})
    return out


def told_error(exchange: HttpExchange) -> str | None:
    """Gives the OAuth error that the body of a failed request tells (RFC 6749 5.2), or None."""
    if exchange.body is None or not exchange.body.is_foreign:
        return None
    error = (reply_object(exchange) or {}).get("error")
    return error if isinstance(error, str) and error in ERROR_STATUS else None


def is_challenge(exchange: HttpExchange) -> bool:
    """Whether a response refuses a request for want of authorization."""
    asks = exchange.reply_header("www-authenticate") is not None
    return exchange.status in (401, 403) or asks or told_error(exchange) is not None


class Challenge:
    """The response of an MCP endpoint that refuses a request for want of authorization."""

    __slots__ = ("at", "exchange", "mark", "offered", "operation", "params", "seq", "status")

    def __init__(self, exchange: HttpExchange, mark: Any) -> None:
        self.exchange = exchange
        self.mark = mark  # era mark
        self.seq = exchange.reply_seq if exchange.reply_seq is not None else exchange.seq
        self.at = exchange.reply_at if exchange.reply_at is not None else exchange.opened_at  # seconds
        self.status = exchange.status
        self.offered = challenges(header_values(exchange.reply_headers, "www-authenticate"))
        self.params = self.offered.get("bearer", {})  # of the Bearer challenge
        request = next(iter(exchange.requests), None)
        target = (request.params.get("name") or request.params.get("uri")) if request is not None else None
        self.operation = (request.method if request is not None else exchange.method, str(target))

    @property
    def bearer(self) -> bool:
        """Whether it asks for a bearer token."""
        return "bearer" in self.offered

    @property
    def error(self) -> str | None:
        """The error that the Bearer challenge names."""
        return self.params.get("error")

    @property
    def scopes(self) -> frozenset[str]:
        """The scopes that it names."""
        return scopes(self.params.get("scope"))
