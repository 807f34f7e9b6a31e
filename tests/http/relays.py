"""Both engines of the proxy in this process, each between a server's handler and a client's scenario.

Nothing here sleeps for a time that should suffice: server and client wait for what the other one must have got, so what
is held back hangs and fails.
"""

import asyncio
import json
import os
import socket
import ssl
import threading
import time
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from pathlib import Path
from typing import Any

from mcpsniff.proxy import Wishes, engine, tap
from mcpsniff.proxy.tap.feed import END, Feed
from mcpsniff.proxy.tap.recorder import TapRecorder
from mcpsniff.proxy.ways import Way
from mcpsniff.relay.channel import open_channel
from mcpsniff.relay.intake import frames

from .wires import Wire

DEADLINE = 20.0  # seconds; reached only when something is broken

Record = dict[str, Any]
Handler = Callable[[Wire], Awaitable[None]]
Scenario = Callable[[Any], Coroutine[Any, Any, None]]


def records(capture: Path) -> list[Record]:
    """The whole records of a capture, without the header."""
    return [json.loads(line) for line in capture.read_bytes().split(b"\n")[1:-1]]


class Relay:
    """A running proxy in front of a server."""

    def __init__(self, server: asyncio.Server, capture: Path) -> None:
        self.server_port: int = server.sockets[0].getsockname()[1]
        self._server = server
        self._capture = capture
        self._wires: list[Wire] = []

    @property
    def ports(self) -> list[int]:
        """The ports on which the proxy listens."""
        raise NotImplementedError

    async def connect(self, port: int | None = None) -> Wire:
        """A new client connection."""
        self._wires.append(Wire(*await asyncio.open_connection("127.0.0.1", port or self.ports[0])))
        return self._wires[-1]

    def close(self) -> None:
        for wire in self._wires:
            wire.close()

    async def stop_server(self) -> None:
        """From now on nobody listens where the server was."""
        self._server.close()
        await self._server.wait_closed()

    def records(self) -> list[Record]:
        """What has been recorded so far, without the header."""
        return records(self._capture)

    async def ended(self, count: int = 1) -> list[Record]:
        """The records, once `count` exchanges are over."""
        while sum(record["type"] == "close" for record in self.records()) < count:
            await asyncio.sleep(0.005)
        return self.records()

    async def stop(self) -> None:
        """Ends the proxy."""
        raise NotImplementedError


class Mitmproxy(Relay):
    """mitmproxy with the addon, in this loop."""

    def __init__(self, server: asyncio.Server, capture: Path, modes: Sequence[str]) -> None:
        super().__init__(server, capture)
        self._talk = engine.Talk()
        modes = [mode.format(port=self.server_port) for mode in modes]
        self.proxy = engine.Proxy(modes, Wishes(str(capture)), self._talk, {})

    async def start(self) -> None:
        self._running = asyncio.create_task(self.proxy.run())
        while not self._talk.started:
            assert not self._running.done(), self._talk.errors
            await asyncio.sleep(0.005)

    async def stop(self) -> None:
        self.proxy.shutdown()
        await self._running

    @property
    def ports(self) -> list[int]:
        return [port for _, port in self.proxy.addons.get("proxyserver").listen_addrs()]

    def is_listening_for(self, part: object) -> bool:
        """Whether a server listens, and for an upstream whose address holds `part`."""
        servers = self.proxy.addons.get("proxyserver").servers
        return any(str(part) in server.mode.full_spec and server.listen_addrs for server in servers)


class Tap(Relay):
    """The tap, with its recorder in a thread instead of a process."""

    def __init__(self, server: asyncio.Server, capture: Path, rewrite_host: bool = False) -> None:
        super().__init__(server, capture)
        wishes = Wishes(str(capture), rewrite_host=rewrite_host)
        ways = [Way(f"http://127.0.0.1:{self.server_port}", "/mcp", "127.0.0.1", 0)]
        source, target, memory = open_channel()
        self._feed = Feed(target, memory, time.monotonic_ns())
        self._fds = [source, *os.pipe()]
        self._relay = tap.Relay(ways, wishes, self._feed)
        self._listener = socket.create_server(("127.0.0.1", 0))
        recorder = TapRecorder(ways, wishes, time.monotonic_ns(), os.getpid(), self._fds[2])
        self._recording = threading.Thread(target=recorder.record, args=(frames(source, memory),))
        self._accepting = threading.Thread(target=self._relay.accept, args=(0, self._listener))

    async def start(self) -> None:
        self._recording.start()
        self._relay.start()
        self._accepting.start()

    async def stop(self) -> None:
        self._feed.tell(END)
        self._feed.close(DEADLINE)
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._relay.end()
        for thread in (self._recording, self._accepting):
            await asyncio.to_thread(thread.join)
        self.said = os.read(self._fds[1], 1 << 16).decode()
        for fd in self._fds:
            os.close(fd)

    @property
    def ports(self) -> list[int]:
        return [self._listener.getsockname()[1]]


async def play(
    handler: Handler,
    scenario: Scenario,
    make: Callable[[asyncio.Server], Mitmproxy | Tap],
    tls: ssl.SSLContext | None = None,
) -> None:
    """Plays a client's scenario through a proxy against a server's handler."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        wire = Wire(reader, writer)
        try:
            await handler(wire)
        except (asyncio.IncompleteReadError, ConnectionError):
            pass  # the proxy has closed the connection: there is no further request
        finally:
            wire.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0, ssl=tls)
    relay = make(server)
    await relay.start()
    try:
        await scenario(relay)
    finally:
        await relay.stop()
        relay.close()
        await relay.stop_server()
