"""A body that mitmproxy streams: told piece by piece as it passes, and given back to mitmproxy when it is over.

mitmproxy forgets what it streams; restored, a body shows in its views and files, with the time of each piece in the
flow's metadata, so that a saved flow can be imported exactly. What is too large is not restored.
"""

import logging
import time
from collections.abc import Callable, Iterable

from mitmproxy import http

log = logging.getLogger(__name__)

KEPT = 4 << 20  # bytes of a body that are kept to be restored
PIECES = 20_000  # whose times are kept
METADATA = "mcpsniff_pieces"  # [seconds since the epoch, bytes] of each piece of the restored response

Tap = Callable[[bytes], bytes | Iterable[bytes]]


class Streamed:
    """Hears the pieces of one message's body; `piece` is told of each, `before` is another addon's callable or flag."""

    def __init__(self, before: bool | Tap, piece: Callable[[bytes], None]) -> None:
        self._before = before
        self._piece = piece
        self._kept: list[bytes] = []
        self._times: list[list[float | int]] = []
        self._size = 0
        self._ended = False  # mitmproxy has said so

    def tap(self, data: bytes) -> bytes | Iterable[bytes]:
        """What mitmproxy calls; outside of its own guard, so that an exception would break the client's stream."""
        try:
            self._hear(data)
        except Exception:
            log.exception("mcpsniff: a piece of a body could not be recorded; the traffic goes on")
        return self._before(data) if callable(self._before) else data

    def missed(self, message: http.Message, complete: bool) -> bool:
        """Whether another addon has taken our place, so that pieces went by unheard."""
        return message.stream != self.tap and not (self._ended if complete else self._size)

    def restore(self, flow: http.HTTPFlow) -> None:
        """Gives the response its body back."""
        if flow.response is not None and flow.response.raw_content is None and self._size <= KEPT:
            flow.response.raw_content = b"".join(self._kept)
            if len(self._times) <= PIECES:
                flow.metadata[METADATA] = self._times

    def _hear(self, data: bytes) -> None:
        if not data:
            self._ended = True
            return
        self._size += len(data)
        if self._size <= KEPT:
            self._kept.append(data)
            if len(self._times) <= PIECES:
                self._times.append([time.time(), len(data)])
        else:
            self._kept, self._times = [], []
        self._piece(data)
