"""A client's session through mcpsniff wrap, message by message."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.waiting import DEADLINE

META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": {"name": "live-client", "version": "1.0.0"},
    "io.modelcontextprotocol/clientCapabilities": {},
}


class Session:
    """A real server under `wrap`, and its client: this test."""

    def __init__(self, capture: Path, *options: str) -> None:
        server = [str(Path(__file__).parents[2] / "samples/library_server.py"), "--era", "modern", "--faulty", "noise"]
        command = [sys.executable, "-m", "mcpsniff", "wrap", "-w", str(capture), *options, "--", sys.executable]
        command += server
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self._id = 0

    def ask(self, method: str, **params: Any) -> Any:
        """Sends a modern request and gives its answer; the server prints noise before it."""
        self._id += 1
        self.send({"id": self._id, "method": method, "params": {**params, "_meta": META}})
        assert self._process.stdout is not None
        while True:
            line = self._process.stdout.readline()
            assert line
            if line.startswith(b"{") and json.loads(line).get("id") == self._id:
                return json.loads(line)

    def send(self, message: dict[str, Any]) -> None:
        """Sends a message."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
        self._process.stdin.flush()

    def close(self) -> None:
        """Ends the session in order: to the end of the server's output."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.stdout.read()
        self._process.stdout.close()
        self._process.wait(DEADLINE)

    def kill(self) -> None:
        """Kills wrap, and by that ends the server."""
        self._process.kill()
        self.close()
