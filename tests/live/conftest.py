"""Captures that are written while they are followed, a follower's events, and a terminal."""

import os
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
from tests.waiting import DEADLINE

from .growing import Growing
from .sessions import Session
from .terminals import Terminal

LOOK = 0.1  # seconds
DEFAULT = Selection()


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


@pytest.fixture
def terminal(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Terminal]:
    """A terminal that is ended after the test."""
    if shutil.which("tmux") is None:
        pytest.skip("no tmux here: the screen was not looked at (Debian's package is tmux)")
    made = Terminal(tmp_path_factory.mktemp("t"))
    yield made
    made.end()


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
            until = time.monotonic() + DEADLINE
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
