"""What the modern era adds to each message: who asks with what, and who answered.

The envelope is a message's length minus its length without these members, and without the `_meta` and `params` that
this empties. Measured on the text as it was sent, not on a text written anew.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from functools import lru_cache
from typing import Any

import msgspec
from msgspec import UNSET, Raw, UnsetType

from mcpsniff.protocol.message import Message
from mcpsniff.protocol.revisions import ENVELOPE, META_SERVER_INFO

SHORT = 2_000  # bytes of a `_meta` that is remembered
OF_RESULT = ("resultType", "ttlMs", "cacheScope")

_members = msgspec.json.Decoder(dict[str, Raw]).decode
_NAME = re.compile(rb'[\s,]*"(?:[^"\\]|\\.)*"\s*:\s*')


class Envelope:
    """The mean envelope of the requests and of the results of one session."""

    def __init__(self) -> None:
        self._requests = _Mean()
        self._results = _Mean()

    def request(self, message: Message) -> None:
        """Takes in one request of the client."""
        if message.truncated:
            return
        self._requests.seen += 1
        if "_meta" in message.texts:
            self._requests.add(request_envelope(message))

    def answer(self, message: Message) -> None:
        """Takes in one result of the server."""
        if message.truncated:
            return
        self._results.seen += 1
        members = message.texts
        if "_meta" in members or "resultType" in members or "ttlMs" in members or "cacheScope" in members:
            self._results.add(result_envelope(message))

    def result(self) -> dict[str, Any]:
        """Gives `envelope`: means over the messages that carry one."""
        return {"request_bytes": self._requests.value, "result_bytes": self._results.value}


class _Mean:
    """The mean of what is not zero; zero where all was, None where nothing was."""

    def __init__(self) -> None:
        self.seen = self._carriers = self._bytes = 0

    def add(self, size: int) -> None:
        self._carriers += size > 0
        self._bytes += size

    @property
    def value(self) -> float | None:
        if self._carriers:
            return round(self._bytes / self._carriers, 2)
        return 0.0 if self.seen else None


def request_envelope(message: Message) -> int:
    """Gives the envelope bytes of a request."""
    if "_meta" not in message.texts or not message.envelope.modern:
        return 0
    removed, emptied = _without_meta(_text(message.head.params), message.texts, _ENVELOPE, ())
    return _cost_of_spans(message.raw, ("params",)) if emptied else removed


def result_envelope(message: Message) -> int:
    """Gives the envelope bytes of a result."""
    return _without_meta(_text(message.head.result), message.texts, _SERVER_INFO, OF_RESULT)[0]


_SERVER_INFO = frozenset((META_SERVER_INFO,))
_ENVELOPE = frozenset(ENVELOPE)


def _without_meta(
    text: bytes, members: Mapping[str, Raw], keys: frozenset[str], beside: Collection[str]
) -> tuple[int, bool]:
    """Gives what an object loses without the members `beside` and the `keys` of its `_meta`, and whether all goes."""
    try:
        inner = _in_meta(bytes(members.get("_meta", b"")), keys)
    except msgspec.DecodeError:
        return 0, False
    gone = {name for name in beside if name in members}
    if inner is None:
        gone.add("_meta")
    return _cost(text, members, gone) + (inner or 0), len(gone) == len(members)


def _in_meta(text: bytes, keys: frozenset[str]) -> int | None:
    """Gives what a `_meta` loses without `keys`, None where nothing stays; parties say the same again and again."""
    return (_short_meta if len(text) < SHORT else _short_meta.__wrapped__)(text, keys)


@lru_cache(maxsize=100)
def _short_meta(text: bytes, keys: frozenset[str]) -> int | None:
    meta = _members(text) if text[:1] == b"{" else {}
    if meta and meta.keys() <= keys:
        return None
    return _cost(text, meta, keys) if meta else 0


def _cost(text: bytes, members: Mapping[str, Raw], names: Collection[str]) -> int:
    """Gives the bytes of these members of an object, with the commas and blanks that go with them."""
    count = len(members)
    if sum(map(len, members)) + sum(map(len, members.values())) + 4 * count + 1 != len(text):
        return _cost_of_spans(text, names)
    # no blanks and no escapes in the names: nearly every message, and nothing has to be looked for
    gone = [len(name) + len(members[name]) + 4 for name in names if name in members]  # "name":value,
    return sum(gone) - (len(gone) == count > 0)


def _cost_of_spans(text: bytes, names: Collection[str]) -> int:
    spans = _spans(text)
    gone = [(start, end) for name, start, end in spans if name in names]
    if not gone or len(gone) == len(spans):
        return sum(end - start for start, end in gone)
    first_stays = spans[0][0] not in names
    return sum(end - start for start, end in gone) + (0 if first_stays else 1)


def _spans(text: bytes) -> list[tuple[str, int, int]]:
    """Gives name, start and end of each member; a member starts where the one before it ended."""
    try:
        members = _members(text)
    except msgspec.DecodeError:  # an unpaired surrogate: the offsets cannot be told
        return []
    out = []
    at = text.index(b"{") + 1
    for name, value in members.items():
        head = _NAME.match(text, at)
        if head is None:  # a name that stands twice: the offsets cannot be told
            return []
        end = head.end() + len(bytes(value))
        out.append((name, at, end))
        at = end
    return out


def _text(raw: Raw | UnsetType) -> bytes:
    return b"" if raw is UNSET else bytes(raw)
