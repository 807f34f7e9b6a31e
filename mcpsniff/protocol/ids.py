"""JSON-RPC ids and progress tokens: when are two the same?

1 and 1.0 are one id, "1" is another; integers are compared exactly, never as doubles; 0 and "" are ids like any
other. The spelling on the wire is kept for display. Does not judge which ids are legal: rules do.
"""

from __future__ import annotations

from decimal import Decimal, InvalidOperation

import msgspec

# str for a string id, int for an integral number, Decimal for a fraction, tuple for anything else.
Key = str | int | Decimal | tuple[str, str]

HUGE = "integer"  # too long to be worked out: such an id is compared by its spelling

_decode_string = msgspec.json.Decoder(str).decode


class JsonId:
    """One id (or progress token) as it was spelled."""

    __slots__ = ("key", "text")

    def __init__(self, text: str) -> None:
        self.text = text  # JSON text, exactly as sent
        self.key: Key = int(text) if text.isdigit() and len(text) < 16 else key_of(text)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, JsonId) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)

    def __repr__(self) -> str:
        return self.text

    @property
    def legal(self) -> bool:
        """Whether it is a string or an integral number (base protocol, Requests)."""
        return isinstance(self.key, (str, int)) or (isinstance(self.key, tuple) and self.key[0] == HUGE)

    @property
    def as_text(self) -> str:
        """The value without regard to its JSON type: equal for 7 and "7"."""
        return str(self.key) if isinstance(self.key, (str, int)) else self.text


def key_of(text: str) -> Key:
    """Gives the value that two spellings of one id share; type and value both count."""
    if text.isdigit():
        return _integer(text)
    first = text[:1]
    if first == '"':
        return _string(text)
    if first == "-" or first.isdigit():
        return _number(text)
    return ("other", text)


def _string(text: str) -> str:
    try:
        return _decode_string(text)
    except msgspec.DecodeError:  # an unpaired surrogate: the spelling is all there is to compare
        return text


def _number(text: str) -> int | Decimal | tuple[str, str]:
    if text.lstrip("-").isdigit():
        return _integer(text)
    try:
        value = Decimal(text)
    except InvalidOperation:
        return ("other", text)
    if value != value.to_integral_value():
        return value
    # 1e999999 must not become a number of a million digits
    return int(value) if value.adjusted() <= 400 else (HUGE, text)


def _integer(text: str) -> int | tuple[str, str]:
    # CPython refuses to convert more than 4300 digits.
    return int(text) if len(text) <= 4000 else (HUGE, text)
