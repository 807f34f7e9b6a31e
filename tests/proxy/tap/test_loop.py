"""One thread passes on what comes on many connections, in both directions, as far as each side takes it."""

import socket
import struct

import pytest

from mcpsniff.proxy.tap.connection import Connection
from mcpsniff.proxy.tap.feed import (
    CLIENT,
    CLIENT_EOF,
    CLIENT_RESET,
    OPENED,
    SERVER,
    SERVER_EOF,
    SERVER_RESET,
    parts,
)
from mcpsniff.proxy.tap.loop import Loop

DEADLINE = 20.0  # seconds; reached only when something is broken
ENOUGH = 32 << 20  # bytes, more than all buffers on the way take


class Frames:
    """A feed that keeps what it is told."""

    def __init__(self):
        self.told = []

    def tell(self, kind, payload=b""):
        self.told.append((*parts(kind), payload))

    def chunk(self, stream, data):
        self.told.append((*parts(stream), data))


class Ends:
    """A loop, and the outer ends of connections through it."""

    def __init__(self):
        self.frames = Frames()
        self.loop = Loop()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._made = []

    def open(self):
        """The client's end and the server's end of a new connection."""
        client, ours = self._pair()
        connection = Connection(len(self._made), ours, self.frames)
        assert connection.open(0, "a", self._listener.getsockname()) is None
        server = self._listener.accept()[0]
        for end in (client, server):
            end.settimeout(DEADLINE)
            self._made.append(end)
        self.loop.add(connection)
        return client, server

    def close(self):
        """Closes all of them."""
        for end in (*self._made, self._listener):
            end.close()

    def _pair(self):
        with socket.create_server(("127.0.0.1", 0)) as listener:
            return socket.create_connection(listener.getsockname()), listener.accept()[0]


@pytest.fixture
def ends():
    made = Ends()
    made.loop.start()
    yield made
    made.loop.end()
    made.close()


def fill(one):
    """Sends until nobody takes any more; the bytes sent."""
    one.setblocking(False)
    sent = 0
    try:
        while sent < ENOUGH:
            sent += one.send(b"x" * 65536)
    except BlockingIOError:
        return sent
    finally:
        one.settimeout(DEADLINE)
    raise AssertionError("nothing holds the sender up")


def fill_up(one):
    """The same, until the loop in between has come to a halt as well."""
    total = 0
    while sent := fill(one):
        total += sent
        one.settimeout(0.2)
        try:
            total += one.send(b"x")
        except TimeoutError:
            break
    return total


def read(one, size):
    """Reads so many bytes."""
    got = b""
    while len(got) < size:
        data = one.recv(1 << 16)
        assert data
        got += data
    return got


def until_refused(one):
    """Sends for ever."""
    while True:
        one.sendall(b"x")


def reset(one):
    one.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    one.close()


def test_what_is_passed_on_has_been_recorded(ends):
    """Question, answer and both ends, in this order, at the moment at which each arrives."""
    client, server = ends.open()
    client.sendall(b"question")
    assert read(server, 8) == b"question"
    assert ends.frames.told == [(0, OPENED, b"0 a"), (0, CLIENT, b"question")]
    server.sendall(b"answer")
    assert read(client, 6) == b"answer"
    assert ends.frames.told[2:] == [(0, SERVER, b"answer")]
    client.shutdown(socket.SHUT_WR)
    assert server.recv(1) == b""
    assert ends.frames.told[3:] == [(0, CLIENT_EOF, b"")]
    server.close()
    assert client.recv(1) == b""
    assert ends.frames.told[4:] == [(0, SERVER_EOF, b"")]


def test_who_does_not_read_holds_up_nobody_else(ends):
    """All that was sent arrives once it is read, and another connection is quick meanwhile."""
    client, server = ends.open()
    sent = fill_up(server)
    for _ in range(3):
        other, there = ends.open()
        other.sendall(b"question")
        assert read(there, 8) == b"question"
    client.sendall(b"this way is free")
    assert read(server, 16) == b"this way is free"
    assert len(read(client, sent)) == sent
    server.sendall(b"on")
    assert read(client, 2) == b"on"


@pytest.mark.parametrize("gone", [CLIENT, SERVER])
def test_a_reset_of_who_does_not_read(ends, gone):
    """It is passed on, though a chunk is held that nobody takes."""
    pair = ends.open()
    fill_up(pair[1 - gone])
    reset(pair[gone])
    with pytest.raises(ConnectionError):
        until_refused(pair[1 - gone])
    assert ends.frames.told[-1] == (0, CLIENT_RESET if gone == CLIENT else SERVER_RESET, b"")


def test_an_end_behind_what_nobody_takes(ends):
    """It comes when all the rest has been read."""
    client, server = ends.open()
    sent = fill_up(client)
    client.shutdown(socket.SHUT_WR)
    assert len(read(server, sent)) == sent
    assert server.recv(1) == b""
    server.sendall(b"late")
    assert read(client, 4) == b"late"


def test_many_connections(ends):
    """A hundred at rest, and each wakes up."""
    pairs = [ends.open() for _ in range(100)]
    for number, (client, server) in enumerate(pairs):
        client.sendall(b"%4d" % number)
        assert read(server, 4) == b"%4d" % number
        server.sendall(b"%4d" % -number)
        assert read(client, 4) == b"%4d" % -number


def test_the_end_closes_all():
    """Those that are open, and those that come later."""
    ends = Ends()
    ends.loop.start()
    first = ends.open()
    ends.loop.end()
    second = ends.open()
    assert [end.recv(1) for end in (*first, *second)] == [b""] * 4
    ends.close()
