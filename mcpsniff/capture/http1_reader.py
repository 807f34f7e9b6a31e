"""One direction of an HTTP/1 connection: bytes → heads and bodies, as h11 reads them, with what they took on the wire.

Only frames; what requests and responses have to do with each other is known in `http1`.
"""

from typing import cast

import h11

from mcpsniff.capture.http1_again import KnownMessage, Role, is_plain, known

LARGEST_HEAD = 1 << 20  # bytes; what is longer is not followed

# Types of events are compared by identity: h11's classes are abstract ones, of which isinstance is slow.
_HEADS = (h11.Request, h11.InformationalResponse, h11.Response)
_SWITCHES = (h11.MIGHT_SWITCH_PROTOCOL, h11.SWITCHED_PROTOCOL)  # type: ignore[attr-defined]  # its __all__ lacks one


class MessageReader:
    """Reads the messages of one direction one after the other; `event` gives what h11 sees, None where it must wait.

    It raises h11.RemoteProtocolError on what is no HTTP/1.
    """

    def __init__(self, role: Role) -> None:
        self._role = role
        self.head = b""  # the last head that was read, as it was sent; before that, what has come of it
        self._fed = 0  # bytes of this message so far, and what follows it
        self.in_head = True  # what comes next is, or may be, a part of a head
        self._request: h11.Request | None = None  # that the message answers
        self._parser: h11.Connection | KnownMessage | None = None  # until the message begins

    def feed(self, data: bytes) -> None:
        """Takes what was read; b"" is the end of the stream."""
        if self.in_head:
            self.head += data
        self._fed += len(data)
        if self._parser is None:
            self._parser = self._begin(data)
        self._parser.receive_data(data)

    def event(self) -> h11.Event | None:
        """The next event of the message that is being read."""
        if self._parser is None:
            return None
        event = self._parser.next_event()
        if type(event) in _HEADS:
            size = len(self.head) - len(self.rest)
            self.head, after = self.head[:size], self.head[size:]
            self._fed = len(after)
            self.in_head = False
        if event is h11.NEED_DATA or event is h11.PAUSED or type(event) is h11.ConnectionClosed:
            return None
        return cast(h11.Event, event)

    def expect_head(self) -> None:
        """Another head of the same message follows: that was a 1xx."""
        self.head, self.in_head = self.rest, True

    def next_message(self, request: h11.Request | None = None) -> None:
        """Goes on to the next message; a response depends on the request that it answers."""
        rest = self.rest
        self.head, self._fed, self.in_head = b"", 0, True
        self._parser, self._request = None, request
        if rest:
            self.feed(rest)

    @property
    def rest(self) -> bytes:
        """What has been fed and not been read yet."""
        return b"" if self._parser is None else self._parser.trailing_data[0]

    @property
    def body_on_wire(self) -> int:
        """Bytes of the body that has been read, with the framing of its chunks."""
        return self._fed - len(self.rest)

    @property
    def may_switch(self) -> bool:
        """Whether what follows depends on the answer: an upgrade or a tunnel was asked for, or is there."""
        return self._parser is not None and self._parser.their_state in _SWITCHES

    def _begin(self, data: bytes) -> h11.Connection | KnownMessage:
        """What reads the message that begins with `data`."""
        if self._role is h11.SERVER or (self._request is not None and is_plain(self._request)):
            again = known(self._role, data)
            if again is not None:
                return again
        parser = h11.Connection(self._role, max_incomplete_event_size=LARGEST_HEAD)
        if self._request is not None:
            parser.send(_essence(self._request))
        return parser


def _essence(request: h11.Request) -> h11.Request:
    """What the framing of the answer depends on: the method, and whether an upgrade was asked for."""
    upgrade = [(name, value) for name, value in request.headers if name == b"upgrade"]
    return h11.Request(method=request.method, target="/", headers=[(b"host", b"-"), *upgrade])
