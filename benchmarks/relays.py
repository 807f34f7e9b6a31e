"""What is measured over HTTP: a bare relay, the tap, mitmproxy as it is and with mcpsniff; and how each is started."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from benchmarks.peers import DIRECT, PROGRAMS, Bench, mcpsniff
from benchmarks.session import TIMEOUT, descendants

SOCAT = "socat"
TAP = "mcpsniff proxy (tap)"
MITMDUMP = "mitmdump"
STREAM = "mitmdump, stream = True"
ADDON = "mitmdump + addon"
ENGINE = "mcpsniff proxy (mitmproxy)"
ALL = (DIRECT, SOCAT, TAP, MITMDUMP, STREAM, ADDON, ENGINE)
SLOW = (MITMDUMP, STREAM, ADDON, ENGINE)


@contextmanager
def serving(bench: Bench) -> Iterator[int]:
    """Runs the HTTP server; its port."""
    with subprocess.Popen([bench.program("http_server")], stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        try:
            yield int(server.stdout.readline())
        finally:
            server.kill()


@contextmanager
def relaying(bench: Bench, row: str, upstream: int) -> Iterator[tuple[int, int | None]]:
    """Runs a relay before the server's port: the port for clients, and the relay's pid; None where there is none."""
    if row == DIRECT:
        yield upstream, None
        return
    port = _free_port()
    capture = bench.folder / f"http-{port}.jsonl"
    with (bench.folder / "relay.err").open("wb") as errors:
        command = _command(row, upstream, port, capture)
        relay = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=errors, stderr=errors)
        try:
            _await(port, relay)
            yield port, relay.pid
        finally:
            _end(relay)
            capture.unlink(missing_ok=True)


def _command(row: str, upstream: int, port: int, capture: Path) -> list[str]:
    mode = f"reverse:http://127.0.0.1:{upstream}@127.0.0.1:{port}"
    dump = [str(Path(sys.executable).with_name("mitmdump")), "-q", "--mode", mode]
    addon = str(PROGRAMS.parents[1] / "addons" / "mcp.py")
    match row:
        case "socat":
            if shutil.which("socat") is None:
                raise SystemExit("the benchmark http needs socat for its yardstick")
            listen = f"TCP-LISTEN:{port},bind=127.0.0.1,fork,reuseaddr,nodelay,backlog=128"
            return ["socat", listen, f"TCP:127.0.0.1:{upstream},nodelay"]
        case "mcpsniff proxy (tap)":
            listen = f"127.0.0.1:{port}"
            return [*mcpsniff(), "proxy", f"http://127.0.0.1:{upstream}", "--listen", listen, "-w", str(capture)]
        case "mitmdump, stream = True":
            return [*dump, "-s", str(PROGRAMS / "mitm_stream.py")]
        case "mitmdump + addon":
            return [*dump, "-s", addon, "--set", f"mcp_capture={capture}"]
        case "mcpsniff proxy (mitmproxy)":
            return [sys.executable, str(PROGRAMS / "proxy_engine.py"), mode, str(capture)]
    return dump


def _free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def _await(port: int, relay: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + TIMEOUT
    while True:
        with suppress(OSError), socket.create_connection(("127.0.0.1", port)):
            return
        if relay.poll() is not None or time.monotonic() > deadline:
            raise SystemExit(f"{relay.args!r} does not listen")
        time.sleep(0.02)


def _end(relay: subprocess.Popen[bytes]) -> None:
    relay.send_signal(signal.SIGINT)
    with suppress(subprocess.TimeoutExpired):
        relay.wait(TIMEOUT)
    for pid in [*descendants(relay.pid), relay.pid]:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    relay.wait()
