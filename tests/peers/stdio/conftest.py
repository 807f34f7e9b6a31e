"""A client and a server on stdio: side by side without mcpsniff, and through wrap with what passed written down."""

import base64
import json
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

Json = dict[str, Any]
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

    def messages(self, sender: str) -> list[Json]:
        """The messages that passed; noise is left out."""
        found = []
        for line in self.streams[sender].splitlines():
            if line.startswith(b"{"):
                found.append(json.loads(line))
        return found

    def kinds(self, sender: str) -> Json:
        """How many requests, responses and notifications passed, and how many bytes."""
        counted = Counter(_kind(message) for message in self.messages(sender))
        kinds = {kind: counted[kind] for kind in ("requests", "responses", "notifications")}
        return {**kinds, "bytes": len(self.streams[sender])}


def _kind(message: Json) -> str:
    if "method" not in message:
        return "responses"
    return "requests" if "id" in message else "notifications"


@pytest.fixture
def talk(client: Callable[[str], Any], complete: Callable[[Path], list[Json]], tmp_path: Path) -> Callable[..., Talk]:
    """Plays steps: `talk("py2", command, mode="auto", steps=[…])`."""

    def play(sdk: str, command: list[str], **job: Any) -> Talk:
        capture, up, down = tmp_path / "capture.jsonl", tmp_path / "up", tmp_path / "down"
        wrapped = [*WRAP, "-w", str(capture), "--", "sh", "-c", TEES, "tees", str(up), str(down), *command]
        direct, through = client(sdk).play({"command": command, **job}, {"command": wrapped, **job})
        assert "failed" not in direct, direct["failed"]
        found = complete(capture)
        recorded = {sender: _rebuilt(found, sender) for sender in ("client", "server")}
        return Talk(direct, through, capture, recorded, {"client": up.read_bytes(), "server": down.read_bytes()})

    return play


def _rebuilt(found: list[Json], sender: str) -> bytes:
    lines = (record for record in found if record.get("from") == sender)
    return b"".join(_payload(record) + record.get("eol", "\n").encode() for record in lines)


def _payload(record: Json) -> bytes:
    if "b64" in record:
        return base64.b64decode(record["b64"])
    text: str = record["text" if "text" in record else "raw"]
    return text.encode()
