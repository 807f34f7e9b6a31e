"""What a connection does where the system refuses."""

import socket

import pytest

from mcpsniff.proxy.tap import connection as module
from mcpsniff.proxy.tap.connection import Connection


class Frames:
    """A feed that keeps what it is told."""

    def __init__(self):
        self.told = []

    def tell(self, kind, payload=b""):
        self.told.append(kind)

    def chunk(self, stream, data):
        self.told.append(stream)


@pytest.mark.parametrize("refused", [(0,), (1,), (0, 1)])
def test_without_threads_a_connection_is_closed(monkeypatch, refused):
    """Whichever of its two threads there is none for: client and server see the end, and nothing is left open."""
    start, count, done = module.Pump.start, iter(range(2)), []

    def refuse(leg):
        if next(count) in refused:
            raise RuntimeError("can't start new thread")
        start(leg)

    monkeypatch.setattr(module.Pump, "start", refuse)
    with socket.create_server(("127.0.0.1", 0)) as server:
        client, ours = socket.socketpair()
        connection = Connection(1, ours, Frames())
        assert connection.open(0, "a", server.getsockname()) is None
        theirs, _ = server.accept()
        connection.relay(None, lambda: done.append(True))
        for side in (client, theirs):
            side.settimeout(10)
            assert side.recv(1) == b""
            side.close()
    for leg in connection._legs:
        if leg.ended.locked():
            assert leg.ended.acquire(timeout=10)
    assert done == [True]
    assert [side.fileno() for side in connection.sides] == [-1, -1]
