"""One client connection and its counterpart to the server, tied together as if they were one.

An end of one side's bytes is passed on as such, and a reset as a reset. Whoever reads slowly slows the other side.
"""

import _thread
import socket
import struct
from collections.abc import Callable
from contextlib import suppress

from mcpsniff.proxy.tap.feed import CLIENT, CLIENT_EOF, CLIENT_RESET, OPENED, SERVER, UNREACHED, Feed, kind
from mcpsniff.relay.pump import Pump

_HARD = struct.pack("ii", 1, 0)  # SO_LINGER: closing resets
_PATIENCE = 0.2  # seconds that a client may take to go on with a request that has nowhere to go
_ENOUGH = 1 << 20  # bytes that are kept of one


class Connection:
    """The client's connection with this number."""

    def __init__(self, number: int, client: socket.socket, feed: Feed) -> None:
        self.number = number
        self.feed = feed
        self.broken = False  # one side is gone, and the other one is being reset
        self.sides = [client]  # CLIENT, then SERVER
        self._lock = _thread.allocate_lock()
        self._legs: list[_Leg] = []
        self._running = 2

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
            with suppress(OSError):
                side.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return None

    def relay(self, rewrite: Callable[[bytes], bytes] | None, done: Callable[[], object]) -> None:
        """Starts to pass bytes on; `rewrite` changes what the client sends, `done` is called when both have ended."""
        self._done = done
        self._legs = [_Leg(self, CLIENT, rewrite), _Leg(self, SERVER, None)]
        for leg in self._legs:
            try:
                leg.start()
            except RuntimeError:  # no more threads
                self.cut()
                self.left()

    def tell(self, what: int, payload: bytes = b"") -> None:
        """Tells the recorder what happened here."""
        self.feed.tell(kind(self.number, what), payload)

    def end_of(self, side: int) -> None:
        """This side will send no more: the other one is told so."""
        if not self.broken:
            self.tell(CLIENT_EOF + side)
            with suppress(OSError):  # reset in the meantime, which its own leg finds out
                self.sides[1 - side].shutdown(socket.SHUT_WR)

    def break_off(self, side: int) -> None:
        """This side is gone: the other one is reset, as it would be without us."""
        with self._lock:
            if self.broken:
                return
            self.broken = True
        self.tell(CLIENT_RESET + side)
        self.sides[1 - side].setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _HARD)
        stuck = self._legs[side].holding  # it waits for the other side to read
        with suppress(OSError):
            self.sides[1 - side].shutdown(socket.SHUT_RDWR if stuck else socket.SHUT_RD)  # wakes whoever waits

    def left(self) -> None:
        """One direction is over; with the last one the connection is."""
        with self._lock:
            self._running -= 1
            last = not self._running
        if last:
            self.close()
            self._done()

    def close(self) -> None:
        """Closes both sides."""
        for side in self.sides:
            side.close()

    def cut(self) -> None:
        """Ends both sides, whoever is using them."""
        for side in self.sides:
            with suppress(OSError):
                side.shutdown(socket.SHUT_RDWR)

    def _refuse(self, why: str) -> None:
        """Takes the request that the client has for the server, so that it can be recorded, and resets."""
        (client,) = self.sides
        client.settimeout(_PATIENCE)
        size = 0
        with suppress(OSError):
            while size < _ENOUGH and (data := client.recv(_ENOUGH)):
                self.feed.chunk(kind(self.number, CLIENT), data)
                size += len(data)
        self.tell(UNREACHED, why.encode())
        client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _HARD)
        client.close()


class _Leg(Pump):
    """Passes on what one side sends."""

    def __init__(self, connection: Connection, side: int, rewrite: Callable[[bytes], bytes] | None) -> None:
        source, target = connection.sides[side], connection.sides[1 - side]
        super().__init__(source.fileno(), target.fileno(), kind(connection.number, side), connection.feed)
        self._connection = connection
        self._side = side
        self._rewrite = rewrite

    def _write(self, data: bytes) -> bool:
        return super()._write(data if self._rewrite is None else self._rewrite(data))

    def _source_ended(self) -> None:
        if self.failed:
            self._connection.break_off(self._side)
            return
        if self._rewrite is not None:
            super()._write(self._rewrite(b""))
        self._connection.end_of(self._side)

    def _part(self) -> None:
        if self.holding:  # nobody takes it
            self._connection.break_off(1 - self._side)
        self._connection.left()
