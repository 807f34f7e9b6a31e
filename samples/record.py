"""Records the captures of `samples/captures` anew: `python samples/record.py [NAME…]`, in mcpsniff's environment.

Plays each recording of the table with the sample software, over stdio through `mcpsniff wrap` and over HTTP
through mitmproxy with the addon. What a header says of the machine is taken out; the rest stays as it was seen.
"""

import json
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

SAMPLES = Path(__file__).resolve().parent
ADDON = SAMPLES.parent / "addons" / "mcp.py"
CAPTURES = SAMPLES / "captures"
PATIENCE = 20.0  # seconds for a process to begin or to end
MACHINE_FIELDS = ("cwd", "pid", "platform")

BOTH = ("stdio", "http")
STDIO = ("stdio",)
HTTP = ("http",)


@dataclass(frozen=True)
class Recording:
    """A conversation: what the client plays, how both sides are built, and over which transports."""

    name: str
    play: str
    server: str = ""
    transports: tuple[str, ...] = BOTH
    script: str = "library_server.py"
    path: str = "/mcp"
    fails: bool = False


RECORDINGS = [
    # the handshake era
    Recording("legacy/tour", "tour --era legacy", "--era legacy"),
    Recording("legacy/calls", "calls --era legacy", "--era legacy"),
    Recording("legacy/confirm", "confirm --era legacy", "--era legacy"),
    Recording("legacy/memory", "memory --era legacy", "--era legacy"),
    Recording("legacy/lists", "lists --era legacy", "--era legacy"),
    Recording("legacy/errors", "errors --era legacy", "--era legacy"),
    Recording("legacy/pages", "pages --era legacy", "--era legacy --page-size 3"),
    Recording("legacy/progress", "progress --era legacy", "--era legacy"),
    Recording("legacy/cancel", "cancel --era legacy", "--era legacy"),
    Recording("legacy/changes", "changes --era legacy", "--era legacy"),
    Recording("legacy/old-client", "tour --era legacy --offer 2024-11-05", "--era legacy", STDIO),
    Recording("legacy/old-client", "tour --era legacy --offer 2024-11-05", "--era legacy", HTTP, path="/sse"),
    Recording("legacy/unknown-version", "call --era legacy --offer 1999-01-01", "--era legacy"),
    Recording("legacy/calendar", "diary --era legacy", "--era legacy", script="calendar_server.py"),
    # the stateless era
    Recording("modern/tour", "tour --era modern", "--era modern"),
    Recording("modern/tour-direct", "tour --era modern --no-discover", "--era modern"),
    Recording("modern/calls", "calls --era modern --no-discover", "--era modern"),
    Recording("modern/calls-minimal", "calls --era modern --no-discover --no-client-info", "--era modern"),
    Recording("modern/confirm", "confirm --era modern", "--era modern"),
    Recording("modern/version-mismatch", "call --era modern --no-discover --offer 2027-01-01", "--era modern"),
    Recording("modern/lists", "lists --era modern", "--era modern"),
    Recording("modern/errors", "errors --era modern", "--era modern"),
    Recording("modern/pages", "pages --era modern", "--era modern --page-size 3"),
    Recording("modern/progress", "progress --era modern", "--era modern"),
    Recording("modern/cancel", "cancel --era modern", "--era modern"),
    Recording("modern/changes", "changes --era modern", "--era modern"),
    Recording("modern/listen", "listen --era modern", "--era modern", STDIO),
    Recording("modern/calendar", "diary --era modern", "--era modern", script="calendar_server.py"),
    # both: the probe and what becomes of it, and the two pairs that cannot meet
    Recording("dual/modern-server", "call", "--era modern"),
    Recording("dual/dual-server", "call", "--era dual"),
    Recording("dual/legacy-client", "call --era legacy", "--era dual"),
    Recording("dual/modern-client", "call --era modern", "--era dual"),
    Recording("dual/fallback-32600", "call", "--era legacy --probe-answer -32600"),
    Recording("dual/fallback-32601", "call", "--era legacy --probe-answer -32601"),
    Recording("dual/fallback-32602", "call", "--era legacy --probe-answer -32602"),
    Recording("dual/fallback-silent", "call --probe-timeout 1.5", "--era legacy --probe-answer silent"),
    Recording("dual/legacy-on-modern", "call --era legacy", "--era modern", fails=True),
    Recording("dual/modern-on-legacy", "call --era modern", "--era legacy", fails=True),
    # deliberately wrong
    Recording(
        "faulty/confirm",
        "confirm --era modern --faulty reused-retry-id",
        "--era modern --faulty noise --faulty server-request",
    ),
]


def main(wanted: list[str]) -> int:
    """Records what is wanted, everything where nothing is named."""
    for recording in RECORDINGS:
        if not wanted or recording.name in wanted:
            for transport in recording.transports:
                path = CAPTURES / f"{recording.name}-{transport}.jsonl"
                record(recording, transport, path)
                print(path.relative_to(SAMPLES))
    return 0


def record(recording: Recording, transport: str, path: Path) -> None:
    """Plays one conversation over one transport and puts its capture at `path`."""
    with tempfile.TemporaryDirectory() as folder:
        fresh = Path(folder) / "capture.jsonl"
        if transport == "stdio":
            wrap = [sys.executable, "-m", "mcpsniff", "wrap", "-w", str(fresh), "--"]
            _play(recording, "--stdio", "--", *wrap, sys.executable, recording.script, *recording.server.split())
        else:
            with _http_server(recording) as url, _proxy(url, fresh, recording.path) as proxied:
                _play(recording, "--http", proxied)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(_without_machine(fresh.read_bytes()))


def _play(recording: Recording, *way: str) -> None:
    command = [sys.executable, "library_client.py", *recording.play.split(), *way]
    ended = subprocess.run(command, cwd=SAMPLES, capture_output=True, text=True, timeout=PATIENCE)
    if (ended.returncode != 0) != recording.fails:
        sys.exit(f"{recording.name} ended with {ended.returncode}: {ended.stderr}")


@contextmanager
def _http_server(recording: Recording) -> Iterator[str]:
    command = [sys.executable, recording.script, *recording.server.split(), "--http", "127.0.0.1:0"]
    with subprocess.Popen(command, cwd=SAMPLES, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True) as server:
        assert server.stderr is not None
        yield server.stderr.readline().strip()
        server.terminate()


@contextmanager
def _proxy(url: str, capture: Path, path: str) -> Iterator[str]:
    """Runs mitmproxy in front of the server and yields the URL to use instead."""
    parts = urlsplit(url)
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    mitmdump = shutil.which("mitmdump", path=str(Path(sys.executable).parent)) or "mitmdump"
    mode = f"reverse:http://{parts.netloc}@127.0.0.1:{port}"
    command = [mitmdump, "-q", "-s", str(ADDON), "--mode", mode, "--set", f"mcp_capture={capture}"]
    with subprocess.Popen(command) as proxy:
        _await_port(port)
        yield urlunsplit(parts._replace(netloc=f"127.0.0.1:{port}", path=path))
        proxy.send_signal(signal.SIGINT)
        proxy.wait(PATIENCE)


def _await_port(port: int) -> None:
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            socket.create_connection(("127.0.0.1", port)).close()
            return
        except OSError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.05)


def _without_machine(capture: bytes) -> bytes:
    """Returns the capture with a header that says nothing of the machine it was recorded on."""
    first, rest = capture.split(b"\n", 1)
    header = {key: value for key, value in json.loads(first).items() if key not in MACHINE_FIELDS}
    if "command" in header:
        header["command"] = ["python", *header["command"][1:]]
    return json.dumps(header, ensure_ascii=False, separators=(",", ":")).encode() + b"\n" + rest


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
