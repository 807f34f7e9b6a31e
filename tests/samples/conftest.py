"""Starts the sample software and notes, without any code of mcpsniff, what passes between its ends."""

import json
import select
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

SAMPLES = Path(__file__).parents[2] / "samples"
TEE = Path(__file__).with_name("support_tee.py")
TIMEOUT = 30  # seconds

sys.path.insert(0, str(SAMPLES))


@dataclass(frozen=True)
class Played:
    """How a scenario ended, and the messages that passed as (sender, message)."""

    code: int
    out: str
    err: str
    messages: list[tuple[str, dict[str, Any]]]

    def sent(self, sender: str, method: str) -> list[dict[str, Any]]:
        """Returns the messages of that sender with that method."""
        return [message for by, message in self.messages if by == sender and message.get("method") == method]

    def answer(self, id: object) -> dict[str, Any]:
        """Returns the server's response to the request with that id."""
        return next(message for by, message in self.messages if by == "server" and message.get("id") == id)


class Relay:
    """Passes the bytes of TCP connections on and keeps them, by sender."""

    def __init__(self, host: str, port: int) -> None:
        self.bytes = {"client": b"", "server": b""}
        self._target = (host, port)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        """Takes no more connections."""
        self._listener.close()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._pass_on, args=(client,), daemon=True).start()

    def _pass_on(self, client: socket.socket) -> None:
        with client, socket.create_connection(self._target) as server:
            ways = {client: ("client", server), server: ("server", client)}
            while True:
                for source in select.select(list(ways), [], [])[0]:
                    name, sink = ways[source]
                    try:
                        data = source.recv(65536)
                        sink.sendall(data)
                    except OSError:
                        return
                    if not data:
                        return
                    self.bytes[name] += data


@pytest.fixture
def play(tmp_path: Path) -> Callable[..., Played]:
    """Plays a scenario over stdio, with a tee between client and server."""

    def run(scenario: str, *options: str, server: tuple[str, ...] = (), script: str = "library_server.py") -> Played:
        log = tmp_path / "tee.log"
        log.unlink(missing_ok=True)
        command = [sys.executable, str(TEE), str(log), sys.executable, str(SAMPLES / script), *server]
        ended = _client(scenario, *options, "--stdio", *command)
        lines = [line.split(b"\t", 1) for line in log.read_bytes().splitlines()]
        messages = [(name.decode(), json.loads(text)) for name, text in lines if text.startswith(b"{")]
        return Played(ended.returncode, ended.stdout, ended.stderr, messages)

    return run


@pytest.fixture
def play_http(http_server: Callable[..., str]) -> Callable[..., tuple[Played, dict[str, bytes]]]:
    """Plays a scenario over HTTP, with a relay between; returns also the bytes of both directions."""

    def run(
        scenario: str, *options: str, server: tuple[str, ...] = (), path: str = "/mcp"
    ) -> tuple[Played, dict[str, bytes]]:
        parts = urlsplit(http_server(*server))
        assert parts.hostname is not None
        assert parts.port is not None
        relay = Relay(parts.hostname, parts.port)
        ended = _client(scenario, *options, "--http", f"http://127.0.0.1:{relay.port}{path}")
        relay.close()
        return Played(ended.returncode, ended.stdout, ended.stderr, []), relay.bytes

    return run


@pytest.fixture
def http_server() -> Iterator[Callable[..., str]]:
    """Starts sample servers on free ports, returns their URLs, and stops them in the end."""
    with ExitStack() as running:
        yield lambda *options: running.enter_context(_serving(options))


@contextmanager
def _serving(options: tuple[str, ...]) -> Iterator[str]:
    command = [sys.executable, str(SAMPLES / "library_server.py"), *options, "--http", "127.0.0.1:0"]
    server = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    assert server.stderr is not None
    with server:
        yield server.stderr.readline().strip()
        server.terminate()
        assert server.wait(TIMEOUT) == 0


def _client(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(SAMPLES / "library_client.py"), *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT)
