"""Captures that are written while they are followed, a follower's events, and a terminal."""

import json
import os
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from mcpsniff.live.events import Event, Found, Said
from mcpsniff.live.followed import Followed
from mcpsniff.live.follower import Follower
from mcpsniff.live.tail import header_of
from mcpsniff.rules.selection import Selection

PATIENCE = 120.0  # seconds: for a machine with very much else to do
LOOK = 0.1  # seconds
DEFAULT = Selection()
META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": {"name": "live-client", "version": "1.0.0"},
    "io.modelcontextprotocol/clientCapabilities": {},
}


class Growing:
    """A capture in the making, written record by record into files."""

    def __init__(self, path: Path, **header: Any) -> None:
        self.seq = 0
        self._header = {"type": "capture", "seq": 0, "t": 0, "format": "mcpsniff", "version": 1, "id": "c", **header}
        self.begin(path)

    def begin(self, path: Path, **header: Any) -> None:
        """Goes on in a new file."""
        self.path = path
        self.write(json.dumps({"transport": "stdio", **self._header, **header}) + "\n")

    def write(self, text: str) -> None:
        """Writes text as it is."""
        with self.path.open("a") as file:
            file.write(text)

    def line(self, **fields: Any) -> str:
        """Gives the line of the next record."""
        self.seq += 1
        return json.dumps({"type": fields.pop("type"), "seq": self.seq, "t": self.seq / 10, **fields}) + "\n"

    def add(self, **fields: Any) -> None:
        """Writes a record."""
        self.write(self.line(**fields))

    def noise(self, text: str) -> None:
        """Writes noise on stdout."""
        self.add(type="text", **{"from": "server"}, size=len(text) + 1, raw=text)

    def ping(self, id_: int) -> None:
        """Writes a request and its answer."""
        for sender, message in (("client", {"method": "ping"}), ("server", {"result": {}})):
            whole = {"jsonrpc": "2.0", "id": id_, **message}
            self.add(type="message", **{"from": sender}, size=len(json.dumps(whole)) + 1, message=whole)

    def end(self) -> None:
        """Writes the `end` record."""
        self.add(type="end", records=self.seq + 1)


@pytest.fixture
def growing() -> type[Growing]:
    """Makes captures that grow."""
    return Growing


@pytest.fixture
def follower() -> Iterator[Callable[..., Follower]]:
    """Makes a follower of what a glob names now; it is ended after the test."""
    made: list[Follower] = []

    def make(folder: Path, glob: str = "*.jsonl*", *, past: bool = True) -> Follower:
        listing = lambda: [str(path) for path in sorted(folder.glob(glob))]  # noqa: E731
        made.append(Follower(listing, lambda path: DEFAULT, past=past))
        return made[-1]

    yield make
    for one in made:
        list(one.finish())


@pytest.fixture
def followed() -> Iterator[Callable[[Path], Followed]]:
    """Makes captures that are followed; they are ended after the test."""
    made: list[Followed] = []

    def make(path: Path) -> Followed:
        header = header_of(str(path))
        assert header is not None
        made.append(Followed(str(path), header, DEFAULT))
        return made[-1]

    yield make
    for one in made:
        list(one.finish())


def told(events: Iterator[Event]) -> list[str]:
    """What events say, in short."""
    out = []
    for event in events:
        if isinstance(event, Said):
            marks = "".join(f" !{pin.rule}" for pin in event.row.findings)
            out.append(f"{event.row.address} {event.row.kind}{marks}")
        elif isinstance(event, Found):
            out.append(f"{event.pin.seq} {'withdrawn' if event.withdrawn else 'found'} {event.pin.rule}")
        else:
            out.append(type(event).__name__)
    return out


@pytest.fixture(name="told")
def _told() -> Callable[[Iterator[Event]], list[str]]:
    """Says what events say."""
    return told


@pytest.fixture
def sample() -> Callable[..., bytes]:
    """Gives the capture of a rule's sample; without its `end` record, where it is not to have ended."""

    def read(name: str, *, ended: bool = True) -> bytes:
        text = (Path(__file__).parents[2] / "samples/rules" / f"{name}.jsonl").read_bytes()
        return text if ended else b"".join(line for line in text.splitlines(True) if b'"type":"end"' not in line)

    return read


class Terminal:
    """A terminal of tmux's, 110 columns wide, in which one command runs."""

    def __init__(self, folder: Path) -> None:
        self._tmux = ("tmux", "-f", "/dev/null", "-S", str(folder / "tmux"))
        self.folder = folder

    def _run(self, *arguments: str) -> str:
        command = [*self._tmux, *arguments]
        # os.environ, as readline sets COLUMNS and LINES in the process's environment alone
        done = subprocess.run(
            command, env=dict(os.environ), capture_output=True, text=True, check=False, timeout=PATIENCE
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    def start(self, *arguments: str) -> None:
        """Starts mcpsniff; its exit status is shown when it has ended."""
        self.python("-m", "mcpsniff", *arguments)

    def python(self, *arguments: str) -> None:
        """Starts Python; its exit status is shown when it has ended."""
        command = shlex.join((sys.executable, *arguments))
        self._run("new-session", "-d", "-x", "110", "-y", "36", f"{command}; echo status $?; exec sleep 1000")

    def keys(self, *keys: str) -> None:
        """Presses keys, by tmux's names."""
        self._run("send-keys", *keys)

    def type(self, text: str) -> None:
        """Types text as it is."""
        self._run("send-keys", "-l", text)

    def text(self) -> str:
        """What is seen."""
        return self._run("capture-pane", "-p")

    def wait(self, *wanted: str, without: str = "\0") -> str:
        """Waits until all that is wanted is seen, and something is not; gives what is seen then."""
        until = time.monotonic() + PATIENCE
        while True:
            seen = self.text()
            if all(one in seen for one in wanted) and without not in seen:
                return seen
            assert time.monotonic() < until, f"{wanted} without {without!r} was not seen in:\n{seen}"
            time.sleep(LOOK)

    def end(self) -> None:
        """Ends the terminal and what runs in it."""
        subprocess.run([*self._tmux, "kill-server"], capture_output=True, check=False, timeout=PATIENCE)


@pytest.fixture
def terminal(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Terminal]:
    """A terminal that is ended after the test."""
    if shutil.which("tmux") is None:
        pytest.skip("no tmux here: the screen was not looked at (Debian's package is tmux)")
    made = Terminal(tmp_path_factory.mktemp("t"))
    yield made
    made.end()


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
        self._process.wait(PATIENCE)

    def kill(self) -> None:
        """Kills wrap, and by that ends the server."""
        self._process.kill()
        self.close()


@pytest.fixture
def wrapped() -> Iterator[Callable[..., Session]]:
    """Starts servers under wrap; all are ended after the test."""
    made: list[Session] = []

    def start(capture: Path, *options: str) -> Session:
        made.append(Session(capture, *options))
        return made[-1]

    yield start
    for session in made:
        if session._process.poll() is None:
            session.close()


@pytest.fixture
def follow() -> Iterator[Callable[..., Any]]:
    """Starts `mcpsniff follow` without a terminal; gives the process and a function that waits for text on stdout."""
    made: list[subprocess.Popen[bytes]] = []

    def start(*arguments: str) -> tuple[subprocess.Popen[bytes], Callable[[str], str]]:
        command = [sys.executable, "-m", "mcpsniff", "follow", *arguments]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        made.append(process)
        assert process.stdout is not None
        fd, seen = process.stdout.fileno(), bytearray()
        os.set_blocking(fd, False)

        def wait(wanted: str) -> str:
            until = time.monotonic() + PATIENCE
            while wanted.encode() not in seen or not seen.endswith(b"\n"):
                assert time.monotonic() < until, f"{wanted!r} was not seen in:\n{seen.decode()}"
                piece = process.stdout.read(1 << 16)  # type: ignore[union-attr]
                seen.extend(piece or b"")
                if not piece:
                    time.sleep(LOOK)
            return seen.decode()

        return process, wait

    yield start
    for process in made:
        if process.poll() is None:
            process.kill()
        process.wait()
        for pipe in (process.stdout, process.stderr):
            if pipe is not None:
                pipe.close()
