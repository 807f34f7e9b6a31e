"""One client connection and its counterpart to the server, tied together as if they were one.

An end of one side's bytes is passed on as such, and a reset as a reset. Whoever reads slowly slows the other side: of
what one sends only one chunk is held. Waits for nobody but in `open`.
"""

import socket
import struct
from collections.abc import Callable
from contextlib import suppress

from mcpsniff.proxy.tap.feed import CLIENT, CLIENT_EOF, CLIENT_RESET, OPENED, SERVER, UNREACHED, Feed, kind

_CHUNK = 1 << 16  # bytes that are read at once
_HARD = struct.pack("ii", 1, 0)  # SO_LINGER: closing resets
_PATIENCE = 0.2  # seconds that a client may take to go on with a request that has nowhere to go
_ENOUGH = 1 << 20  # bytes that are kept of one


class Connection:
    """The client's connection with this number."""

    def __init__(self, number: int, client: socket.socket, feed: Feed) -> None:
        self.feed = feed
        self.sides = [client]  # CLIENT, then SERVER
        self.legs: tuple[Leg, ...] = ()  # in the same order: what each side sends
        self.gone: int | None = None  # the side that has broken the connection off
        self._number = number

    def open(self, way: int, address: str, server: tuple[str, int]) -> str | None:
        """Connects to the server, the one with index `way`; the reason where it cannot."""
        self.tell(OPENED, f"{way} {address}".encode())
        try:
            self.sides.append(socket.create_connection(server))
        except OSError as error:
            why = error.strerror or str(error)
            self._refuse(why)
            return why
        for side in self.sides:
            side.setblocking(False)
            with suppress(OSError):
                side.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.legs = (Leg(self, CLIENT), Leg(self, SERVER))
        return None

    def kind(self, what: int) -> int:
        """The kind of a frame on this connection."""
        return kind(self._number, what)

    def tell(self, what: int, payload: bytes = b"") -> None:
        """Tells the recorder what happened here."""
        self.feed.tell(self.kind(what), payload)

    def part(self) -> None:
        """Closes both sides; where one is gone the other one is reset, as it would be without us."""
        if self.gone is not None:
            self.tell(CLIENT_RESET + self.gone)
            _reset(self.sides[1 - self.gone])
        for side in self.sides:
            side.close()

    def _refuse(self, why: str) -> None:
        """Takes the request that the client has for the server, so that it can be recorded, and resets."""
        (client,) = self.sides
        client.settimeout(_PATIENCE)
        size = 0
        with suppress(OSError):
            while size < _ENOUGH and (data := client.recv(_ENOUGH)):
                self.feed.chunk(self.kind(CLIENT), data)
                size += len(data)
        self.tell(UNREACHED, why.encode())
        _reset(client)
        client.close()


class Leg:
    """What one side sends, on its way to the other."""

    def __init__(self, connection: Connection, side: int) -> None:
        self.connection = connection
        self.source = connection.sides[side]
        self.held: bytes | memoryview = b""  # what has been read and is not passed on yet
        self.ended = False  # nothing more will be read
        self.over = False  # and the other side has been told so
        self.watched = 0  # the events of `source` that are waited for
        self.rewrite: Callable[[bytes], bytes] | None = None  # what is passed on in place of a chunk; b"" is the end
        self._side = side
        self._stream = connection.kind(side)
        self._feed = connection.feed
        self._target = connection.sides[1 - side]

    @property
    def other(self) -> "Leg":
        """The other direction."""
        return self.connection.legs[1 - self._side]

    def read(self) -> bool:
        """Reads what is there, for the recorder and to hold it; whether something has come, be it the end."""
        try:
            data = self.source.recv(_CHUNK)
        except BlockingIOError:
            return False
        except OSError:
            self.connection.gone = self._side
            return True
        if data:
            self._feed.chunk(self._stream, data)
        else:
            self.ended = True
        self.held = data if self.rewrite is None else self.rewrite(data)
        return True

    def write(self) -> None:
        """Passes on what is held, as far as it is taken, and the end behind it."""
        if self.held:
            try:
                sent = self._target.send(self.held)
            except BlockingIOError:
                return
            except OSError:
                self.connection.gone = 1 - self._side
                return
            self.held = memoryview(self.held)[sent:] if sent < len(self.held) else b""
        if self.ended and not self.held:
            self.over = True
            self.connection.tell(CLIENT_EOF + self._side)
            with suppress(OSError):  # reset in the meantime, which its own leg finds out
                self._target.shutdown(socket.SHUT_WR)


def _reset(one: socket.socket) -> None:
    """Lets it be reset when it is closed."""
    with suppress(OSError):
        one.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _HARD)
