"""A client and a server on stdio: side by side without mcpsniff, and through wrap with what passed written down."""

import base64
import json
import select
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

Json = dict[str, Any]
DEADLINE = 60.0  # seconds; reached only when something is broken
WRAP = (sys.executable, "-m", "mcpsniff", "wrap")
# Between wrap and the server, two tees write down what each of them got: what the capture is compared with.
TEES = 'up=$1 down=$2; shift 2; tee "$up" | "$@" | tee "$down"'


@dataclass
class Talk:
    """A conversation that was played twice at once: without wrap, and through it."""

    direct: Json  # outcome
    through: Json  # outcome
    capture: Path
    recorded: dict[str, bytes]  # what the capture says that passed, by sender
    streams: dict[str, bytes]  # what the tees saw pass, by sender
    counts: dict[str, Json]  # of the messages in them, by sender, as a report must have it


def _messages(stream: bytes) -> list[str]:
    """The lines that are messages; noise is left out."""
    return [line for line in stream.decode().split("\n") if line.startswith("{")]


@pytest.fixture
def talk(
    client: Callable[[str], Any],
    complete: Callable[[Path], list[Json]],
    tally: Callable[[list[str], int], Json],
    tmp_path: Path,
) -> Callable[..., Talk]:
    """Plays steps: `talk("py2", command, mode="auto", steps=[…])`."""

    def play(sdk: str, command: list[str], **job: Any) -> Talk:
        capture, up, down = tmp_path / "capture.jsonl", tmp_path / "up", tmp_path / "down"
        wrapped = [*WRAP, "-w", str(capture), "--", "sh", "-c", TEES, "tees", str(up), str(down), *command]
        direct, through = client(sdk).play({"command": command, **job}, {"command": wrapped, **job})
        found = complete(capture)
        recorded = {sender: _rebuilt(found, sender) for sender in ("client", "server")}
        streams = {"client": up.read_bytes(), "server": down.read_bytes()}
        counts = {sender: tally(_messages(stream), len(stream)) for sender, stream in streams.items()}
        return Talk(direct, through, capture, recorded, streams, counts)

    return play


def _rebuilt(found: list[Json], sender: str) -> bytes:
    lines = (record for record in found if record.get("from") == sender)
    return b"".join(_payload(record) + record.get("eol", "\n").encode() for record in lines)


def _payload(record: Json) -> bytes:
    if "b64" in record:
        return base64.b64decode(record["b64"])
    text: str = record["text" if "text" in record else "raw"]
    return text.encode()


class Hand:
    """A client that is led by hand: it says what no SDK's client would, to a server behind wrap."""

    def __init__(self, command: list[str], capture: Path) -> None:
        self.capture = capture
        wrapped = [*WRAP, "-w", str(capture), "--", *command]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
        self._process = subprocess.Popen(wrapped, bufsize=0, **pipes)

    def say(self, until: str = "", **message: Any) -> None:
        """Says a message and waits for its answer, or for a message of the method `until`; consents meanwhile."""
        self._write(message)
        while until or "id" in message:
            assert select.select([self._process.stdout], [], [], DEADLINE)[0], f"no answer to {message}"
            heard = json.loads(self._process.stdout.readline())
            if heard.get("method") == "elicitation/create":
                self._write({"id": heard["id"], "result": {"action": "accept", "content": {"sure": True}}})
            elif heard.get("method", "") == until if until else heard.get("id") == message["id"]:
                return

    def _write(self, message: Json) -> None:
        self._process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")

    def leave(self) -> None:
        """Ends the input, and waits for the server to go."""
        self._process.communicate(timeout=DEADLINE)


@pytest.fixture
def hand(tmp_path: Path) -> Callable[[list[str]], Hand]:
    """Starts a server, by its command, for a client led by hand."""
    return lambda command: Hand(command, tmp_path / "capture.jsonl")
