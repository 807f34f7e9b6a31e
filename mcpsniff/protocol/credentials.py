"""What a request's Authorization header holds, and what can be read of a token: its scopes, its claims."""

from __future__ import annotations

import binascii
from base64 import urlsafe_b64decode
from typing import Any

from .exchange import HttpExchange
from .jsonvalue import decode


def scopes(value: Any) -> frozenset[str]:
    """Gives the members of a scope text, or of a list of scopes."""
    if isinstance(value, str):
        return frozenset(value.split())
    return frozenset(one for one in value if isinstance(one, str)) if isinstance(value, list) else frozenset()


def credentials(exchange: HttpExchange) -> tuple[str, str] | None:
    """Gives scheme (in lower case; empty where the value is one word) and secret of the Authorization header."""
    value = exchange.header("authorization")
    if value is None:
        return None
    scheme, space, secret = value.partition(" ")
    return (scheme.lower(), secret.strip()) if space or scheme.lower() == "bearer" else ("", scheme)


def jwt_claims(token: str) -> dict[str, Any]:
    """Gives the claims of a readable JWT; empty where it is none."""
    parts = token.split(".")
    if len(parts) != 3:
        return {}
    try:
        value = decode(urlsafe_b64decode(parts[1] + "=" * (-len(parts[1]) % 4)))
    except (binascii.Error, ValueError):
        return {}
    return value if isinstance(value, dict) else {}
