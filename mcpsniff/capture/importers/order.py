"""Places for events whose times were not kept: as early as their causes allow, so that no effect precedes its cause.

An answer follows its request, and what the client said to the server's own requests before it in the stream; progress
follows the request that asked for it. What really happened may have been later. Reads no more of messages than that.
"""

import json
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Any
from urllib.parse import urlsplit

from mcpsniff.capture.importers.past import Past, Piece
from mcpsniff.wire.sse import SseBlock, SseFramer

_TICK = 1e-6  # seconds by which an effect follows its cause
_REQUEST, _ANSWER, _TOKEN = "request", "answer", "token"

Key = tuple[str, str]  # what it is, and its id or token as JSON


def place(exchanges: Sequence[Past]) -> None:
    """Cuts each untimed stream into its events, and gives them times."""
    sent = _Sent(exchanges)
    for past in exchanges:
        if past.untimed and past.pieces:
            whole = b"".join(data for _, data in past.pieces)
            past.pieces = list(_placed(past, whole, sent))


class _Sent:
    """When clients sent what an event may have waited for."""

    def __init__(self, exchanges: Iterable[Past]) -> None:
        self._times: dict[tuple[str, Key], list[float]] = defaultdict(list)
        for past in exchanges:
            for key in _keys(past.body or b""):
                self._times[_host(past), key].append(past.asked if past.sent is None else past.sent)
        for times in self._times.values():
            times.sort()

    def during(self, past: Past, key: Key) -> float:
        """The first time while an exchange lasted, just after; 0 where there is none."""
        times = self._times.get((_host(past), key), [])
        at = bisect_left(times, past.asked)
        return times[at] + _TICK if at < len(times) and times[at] <= past.ended else 0.0


def _placed(past: Past, whole: bytes, sent: _Sent) -> Iterator[Piece]:
    at = waited = past.answered  # `waited`: until the client had answered what the server asked in this stream
    done = 0
    for block in _blocks(whole):
        for kind, name in _keys(block.data or b""):
            if kind == _REQUEST:
                waited = max(waited, sent.during(past, (_ANSWER, name)))
            elif kind == _TOKEN:
                at = max(at, sent.during(past, (_TOKEN, name)))
            else:
                at = max(at, waited, sent.during(past, (_REQUEST, name)))
        at = min(at, past.ended)
        yield at, whole[done : done + block.size]
        done += block.size


def _blocks(whole: bytes) -> list[SseBlock]:
    framer = SseFramer()
    blocks = framer.feed(whole, 0.0)
    last = framer.flush()
    return blocks if last is None else [*blocks, last]


def _keys(body: bytes) -> Iterator[Key]:
    """What the messages of a body ask, answer, and name for progress."""
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        return
    for message in value if isinstance(value, list) else [value]:
        if isinstance(message, dict):
            yield from _keys_of(message)


def _keys_of(message: dict[str, Any]) -> Iterator[Key]:
    if message.get("id") is not None:
        yield _REQUEST if "method" in message else _ANSWER, json.dumps(message["id"])
    params = message.get("params")
    if isinstance(params, dict):
        meta = params.get("_meta")
        for part in (params, meta if isinstance(meta, dict) else {}):
            if part.get("progressToken") is not None:
                yield _TOKEN, json.dumps(part["progressToken"])


def _host(past: Past) -> str:
    try:
        return urlsplit(past.request.url).netloc.lower()
    except ValueError:
        return past.request.url
