"""A body that mitmproxy streams: told piece by piece as it passes, and given back to mitmproxy when it is over.

mitmproxy forgets what it streams; restored, a body shows in its views and files, with the time of each piece in the
flow's metadata, so that a saved flow can be imported exactly. What is too large is not restored.
"""

from collections.abc import Callable, Iterable
from functools import partial

from mitmproxy import http

from mcpsniff.proxy.afterwards import Afterwards
from mcpsniff.proxy.timeline import PIECES, Pieces

KEPT = 4 << 20  # bytes of a body that are kept to be restored
TIMED = 20_000  # pieces whose times are kept

Tap = Callable[[bytes], bytes | Iterable[bytes]]


class Streamed:
    """Hears the pieces of one message's body; `before` is another addon's callable or flag.

    `piece` is told of each with the time that `now` gave when it passed; `afterwards` says when.
    """

    def __init__(
        self,
        before: bool | Tap,
        now: Callable[[], float],
        afterwards: Afterwards,
        piece: Callable[[float, bytes], None],
    ) -> None:
        self._before = before
        self._now = now
        self._afterwards = afterwards
        self._piece = piece
        self._kept: list[bytes] = []
        self._times: Pieces = []
        self._size = 0
        self._ended = False  # mitmproxy has said so

    def tap(self, data: bytes) -> bytes | Iterable[bytes]:
        """What mitmproxy calls; outside of its own guard, so that an exception would break the client's stream."""
        if data:
            self._afterwards.put(partial(self._hear, self._now(), data))
        else:
            self._ended = True
        return self._before(data) if callable(self._before) else data

    def missed(self, message: http.Message, complete: bool) -> bool:
        """Whether another addon has taken our place, so that pieces went by unheard."""
        return message.stream != self.tap and not (self._ended if complete else self._size)

    def restore(self, message: http.Message) -> None:
        """Gives the message its body back."""
        if message.raw_content is None and self._size <= KEPT:
            message.raw_content = b"".join(self._kept)

    def restore_response(self, flow: http.HTTPFlow, began: float) -> None:
        """Gives the response its body back, and the flow the times of its pieces, `began` added to each."""
        if flow.response is not None and flow.response.raw_content is None:
            self.restore(flow.response)
            if self._size <= KEPT and len(self._times) <= TIMED:
                flow.metadata[PIECES] = [[began + at, size] for at, size in self._times]

    def _hear(self, t: float, data: bytes) -> None:
        self._size += len(data)
        if self._size <= KEPT:
            self._kept.append(data)
            if len(self._times) <= TIMED:
                self._times.append([t, len(data)])
        else:
            self._kept, self._times = [], []
        self._piece(t, data)
