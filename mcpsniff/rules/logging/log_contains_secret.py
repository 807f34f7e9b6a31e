"""Log notifications with secrets in them."""

import re
from collections.abc import Iterator
from typing import Any

from mcpsniff.protocol.message import Message
from mcpsniff.protocol.schema import pointer
from mcpsniff.rules.rule import ERROR, HEURISTIC, SERVER, Call, Found, Rule

LOOKED_AT = 2_000  # values of one message
LONG = 100_000  # characters of one text
TOKEN_FROM = 12  # characters of an Authorization value that is looked for
_VALUE = r"(?!\**['\"]?(?:\s|$|[,;&}])|<|\$|%|\{|x{3,}|\.{3})[^\s'\",;&}]{4,}"
PATTERNS = {
    "a private key": re.compile(r"-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----"),
    "a JSON web token": re.compile(r"\beyJ[\w-]{8,}\.eyJ[\w-]{4,}\.[\w-]{2,}"),
    "a bearer token": re.compile(r"\b[Bb]earer\s+(?![*<$%{])[\w.~+/-]{16,}"),
    "a key of a cloud service": re.compile(
        r"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b|\bgh[pousr]_\w{36,}|\bsk-[\w-]{20,}|\bxox[abprs]-[\w-]{10,}|\bAIza[\w-]{35}"
    ),
    "a password": re.compile(rf"\b(?:password|passwd|pwd|secret)['\"]?\s*[=:]\s*['\"]?{_VALUE}", re.IGNORECASE),
    "a URL with a password": re.compile(
        r"\b[a-z][a-z0-9+.-]{0,20}://[^\s/:@]{1,100}:(?![*<$%{]|x{3,}@)[^\s/@]{1,100}@"
    ),
}
_CARD = re.compile(r"(?<![\d.-])(?:\d[ -]?){13,19}(?![\d.-])")


class LogContainsSecret(Rule):
    """The data of a log notification looks like it holds a secret: a key, a token, a password.

    ## Why it matters
    The client, its log files and often a model read it.

    ## How to fix
    Mask secrets before they are logged; change the ones that were.

    ## When it stays silent
    Masked values, names without a value, placeholders and e-mail addresses. It goes by patterns and may be wrong; what
    it found is never shown.
    """

    title = "Log message seems to contain a secret or personal data"
    tier = 3
    severity = {"2024-11-05": ERROR}
    violator = SERVER
    confidence = HEURISTIC
    spec = {"2024-11-05": "server/utilities/logging#security"}
    methods = ("notifications/message",)

    def on_notification(self, message: Message, call: Call | None) -> Found:
        if message.sender != SERVER:
            return
        sent = _credentials(message)
        for where, text in _texts(message.params.get("data")):
            what = "the Authorization value of the request" if sent and sent in text else _secret(text)
            if what is not None:
                yield self.found(message, f"the log data seems to hold {what}", where=where, fault=what)


def _credentials(message: Message) -> str | None:
    """Gives the credentials that the client sent with the request of this stream."""
    value = message.exchange.header("authorization") if message.exchange is not None else None
    token = (value or "").rpartition(" ")[2]
    return token if len(token) >= TOKEN_FROM else None


def _texts(data: Any) -> Iterator[tuple[str, str]]:
    """Gives the texts in log data with their places; a member and its text as one, so that names tell."""
    rest: list[tuple[str, str, Any]] = [("/params/data", "", data)]
    for _ in range(LOOKED_AT):
        if not rest:
            return
        where, name, value = rest.pop()
        if isinstance(value, dict):
            rest += [(where + pointer(key), str(key), one) for key, one in value.items()]
        elif isinstance(value, list):
            rest += [(where + pointer(index), name, one) for index, one in enumerate(value[:LOOKED_AT])]
        elif isinstance(value, str):
            yield where, f"{name}={value[:LONG]}"


def _secret(text: str) -> str | None:
    found = next((what for what, pattern in PATTERNS.items() if pattern.search(text)), None)
    return found or ("a card number" if any(_is_card(m.group()) for m in _CARD.finditer(text)) else None)


def _is_card(text: str) -> bool:
    """Whether digits make a card number: its first digit, and Luhn's sum; so many are no more than one has."""
    digits = [int(one) for one in text if one.isdigit()]
    if digits[0] not in (3, 4, 5, 6):
        return False
    doubled = (d * 2 - 9 if d > 4 else d * 2 for d in digits[-2::-2])
    return (sum(digits[-1::-2]) + sum(doubled)) % 10 == 0
