"""Messages of HTTP/1 whose head h11 has read before, byte for byte: it would only say the same of it again.

Clients and servers repeat their heads, and h11 is exact but slow. Known are only POSTs and their answers that have a
Content-Length and nothing else by which they could end; the head must come in one piece.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import TypeVar

import h11

_KEPT = 512  # heads
_LARGEST = 4096  # bytes of one that is kept
_BLANK = b"\r\n\r\n"
_POST = h11.Request(method="POST", target="/", headers=[("host", "-")])
_BODILESS = (204, 304)  # statuses; a Content-Length says nothing then
_END = h11.EndOfMessage()

Read = TypeVar("Read")
Role = type[h11.CLIENT] | type[h11.SERVER]  # ours, as h11 would have it: SERVER reads requests


class KnownMessage:
    """Gives the events of a message with a known head, as an `h11.Connection` would."""

    their_state = h11.SEND_BODY

    def __init__(self, head: h11.Event, size: int, body: int) -> None:
        """`size` is that of the head, `body` that of the body; bytes."""
        self._head: h11.Event | None = head
        self._size = size
        self._left = body
        self._ended = False
        self._data = b""

    @property
    def trailing_data(self) -> tuple[bytes, bool]:
        """What was received and not read yet."""
        return self._data, False

    def receive_data(self, data: bytes) -> None:
        """Takes what comes."""
        self._data += data

    def next_event(self) -> h11.Event | type[h11.NEED_DATA] | type[h11.PAUSED]:
        """The next event, or why there is none."""
        if self._head is not None:
            head, self._head = self._head, None
            self._data = self._data[self._size :]
            return head
        if self._left:
            piece, self._data = self._data[: self._left], self._data[self._left :]
            self._left -= len(piece)
            return h11.Data(data=piece) if piece else h11.NEED_DATA
        if self._ended:
            return h11.PAUSED
        self._ended = True
        return _END


def known(role: Role, data: bytes) -> KnownMessage | None:
    """Reads the message that begins with `data`, where it is a known one; else None.

    Of an answer the caller knows that it is one to a POST that asked for nothing else.
    """
    size = data.find(_BLANK) + len(_BLANK)
    head = data[:size]
    if not len(_BLANK) < size <= _LARGEST or b"content-length" not in head.lower():
        return None
    read = _read(role, head)
    return read and KnownMessage(read[0], size, read[1])


def once(read: Callable[[bytes], Read]) -> Callable[[bytes], Read]:
    """The same function of a head, which reads none anew that it remembers."""
    remembered = lru_cache(_KEPT)(read)
    return lambda head: remembered(head) if len(head) <= _LARGEST else read(head)


def is_plain(request: h11.Request) -> bool:
    """Whether a request is a POST that asks for nothing else."""
    return request.method == _POST.method and not any(name == b"upgrade" for name, _ in request.headers)


@lru_cache(_KEPT)
def _read(role: Role, head: bytes) -> tuple[h11.Event, int] | None:
    """What h11 reads in a head, and the length of the body; None where more than a Content-Length tells its end."""
    parser = h11.Connection(role)
    if role is h11.CLIENT:
        parser.send(_POST)
    parser.receive_data(head)
    try:
        event = parser.next_event()
    except h11.RemoteProtocolError:
        return None
    if type(event) is h11.Request:
        plain = is_plain(event)
    else:
        plain = type(event) is h11.Response and event.status_code not in _BODILESS
    if not plain or parser.trailing_data[0]:
        return None
    assert isinstance(event, h11.Request | h11.Response)
    headers = dict(event.headers)
    if b"transfer-encoding" in headers or b"content-length" not in headers:
        return None
    return event, int(headers[b"content-length"])
