"""A client's end of one stdio server behind a peer, and what /proc tells of the processes between them. Linux only."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any

from benchmarks.peers import Bench

TIMEOUT = 60.0  # seconds for anything to happen
INITIALIZE = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "bench", "version": "1"},
}
_TICKS = os.sysconf("SC_CLK_TCK")


def request(number: int, method: str, params: dict[str, Any]) -> bytes:
    """A request as a line."""
    message = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
    return json.dumps(message, separators=(",", ":")).encode() + b"\n"


def call(number: int, **arguments: object) -> bytes:
    """A request for a tool call as a line."""
    return request(number, "tools/call", {"name": "bench", "arguments": arguments})


class Session:
    """A running peer; a context that leaves no process and no file."""

    def __init__(self, bench: Bench, peer: str, server: list[str]) -> None:
        self.folder = Path(tempfile.mkdtemp(dir=bench.folder))  # its home, and where it may leave files
        self.capture = self.folder / "capture.jsonl"
        command = bench.through(peer, server, self.capture)
        environment = {**os.environ, "HOME": str(self.folder), "TMPDIR": str(self.folder)}
        self._errors = (self.folder / "stderr").open("wb")
        self.began = time.perf_counter()
        self.process = subprocess.Popen(
            command,
            bufsize=0,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            env=environment,
        )
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.to_server, self.from_server = self.process.stdin.fileno(), self.process.stdout.fileno()

    def __enter__(self) -> Session:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        for pid in [*descendants(self.process.pid), self.process.pid]:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self.process.wait()
        self._errors.close()
        for pipe in (self.process.stdin, self.process.stdout):
            assert pipe is not None
            pipe.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def send(self, data: bytes) -> None:
        """Sends all of it."""
        view = memoryview(data)
        while view:
            view = view[os.write(self.to_server, view) :]

    def send_each(self, blocks: Iterable[bytes]) -> None:
        """Sends one after the other."""
        for block in blocks:
            self.send(block)

    def read_until(self, end: bytes, size: int = 1 << 16) -> int:
        """Reads until the stream so far ends with `end`; the bytes read."""
        total, tail = 0, b""
        while not tail.endswith(end):
            data = os.read(self.from_server, size)
            if not data:
                raise EOFError(f"the server's output ended: {self.errors()}")
            total += len(data)
            tail = (tail + data)[-len(end) :]
        return total

    def open(self) -> None:
        """Speaks the handshake."""
        self.send(request(0, "initialize", INITIALIZE))
        self.read_until(b"\n")
        self.send(b'{"jsonrpc":"2.0","method":"notifications/initialized"}\n')

    def close(self) -> int:
        """Ends the input, reads the output to its end; the exit code."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        while os.read(self.from_server, 1 << 16):
            pass
        return self.process.wait(TIMEOUT)

    def errors(self) -> str:
        """What was said on stderr."""
        return (self.folder / "stderr").read_text(errors="replace").strip()


class Memory(threading.Thread):
    """Watches the memory of a session's processes, without the server's own: the peak of the sum, in MB.

    Memory that several processes share counts once (PSS). `kinds` are lines of smaps_rollup: `Pss` is all of it.
    """

    def __init__(self, root: int, server: str, step: float = 0.02, kinds: Sequence[str] = ("Pss",)) -> None:
        super().__init__(daemon=True)
        self.peak = 0.0
        self._root, self._server, self._step, self._kinds = root, os.path.realpath(server), step, kinds
        self._over = threading.Event()

    def run(self) -> None:
        while not self._over.wait(self._step):
            self.peak = max(self.peak, self.now())

    def now(self) -> float:
        """The sum of this moment, in MB."""
        pids = [self._root, *descendants(self._root)]
        return sum(_kib(pid, self._kinds) for pid in pids if _program(pid) != self._server) / 1024

    def stop(self) -> float:
        """Ends the watch; the peak."""
        self._over.set()
        self.join()
        return self.peak


def descendants(root: int) -> Iterator[int]:
    """The processes that `root` and its children have started."""
    children: dict[int, list[int]] = {}
    for pid in _pids():
        parent = _stat(pid)[1:2]
        if parent:
            children.setdefault(int(parent[0]), []).append(pid)
    todo = children.get(root, [])
    while todo:
        pid = todo.pop()
        yield pid
        todo += children.get(pid, [])


def cpu(root: int) -> float:
    """The CPU seconds so far of a process and its descendants, those that have ended included."""
    stats = (_stat(pid) for pid in [root, *descendants(root)])
    return sum(sum(map(int, stat[11:15])) for stat in stats) / _TICKS


def _pids() -> list[int]:
    return [int(name) for name in os.listdir("/proc") if name.isdigit()]


def _stat(pid: int) -> list[str]:
    """The fields of /proc/PID/stat after the name; empty for a process that is gone."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []


def _kib(pid: int, kinds: Sequence[str]) -> int:
    try:
        text = Path(f"/proc/{pid}/smaps_rollup").read_text()
    except OSError:
        return 0
    return sum(int(line.split()[1]) for line in text.splitlines() if line.partition(":")[0] in kinds)


def _program(pid: int) -> str:
    try:
        return os.readlink(f"/proc/{pid}/exe")
    except OSError:
        return ""
