"""Captures of made-up but ordinary stdio traffic, as wrap would record it, of any length and always the same.

Three quarters are tool calls, the rest reads, prompts, pings and lists; messages are 0.05 to 2 KB long, some with
progress, log messages, escapes and letters beyond ASCII. Nothing in it is a fault.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any

from mcpsniff.capture.encode import record_line, stdio_line
from mcpsniff.wire.lines import Line

ERAS = ("legacy", "modern")
CLIENT_INFO = {"name": "bench-client", "version": "1.0"}
SERVER_INFO = {"name": "bench-server", "version": "1.0"}
META = "io.modelcontextprotocol/"
ENVELOPE = {
    f"{META}protocolVersion": "2026-07-28",
    f"{META}clientInfo": CLIENT_INFO,
    f"{META}clientCapabilities": {},
}
SERVER_CAPABILITIES: dict[str, Any] = {"tools": {}, "resources": {}, "prompts": {}}
WORDS = (
    "order",
    "invoice",
    '"quoted"',
    "straße",
    "naïve",
    "report",
    "total",
    "of",
    "and",
    "to",
    "price",
    "東京",
    "line\n",
)
TOOLS = [
    {
        "name": f"search_{area}",
        "description": f"Searches {area} by words and gives the best matches.",
        "inputSchema": {
            "type": "object",
            "properties": {"query": {"type": "string"}, "limit": {"type": "integer"}},
            "required": ["query"],
        },
    }
    for area in ("orders", "invoices", "people", "notes", "logs")
]


Said = tuple[str, dict[str, Any]]  # sender, message


class Conversation:
    """One client and one server of an era, who never stop talking."""

    def __init__(self, era: str, seed: int = 1) -> None:
        self._modern = era == "modern"
        self._random = random.Random(seed)
        self._ids = count(1)

    def __iter__(self) -> Iterator[Said]:
        yield from self._opening()
        yield from self._list()
        kinds: list[Callable[[], Iterator[Said]]] = [self._call, self._read, self._prompt, self._ping, self._list]
        while True:
            (kind,) = self._random.choices(kinds, (75, 12, 6, 6, 1))
            yield from kind()

    def _opening(self) -> Iterator[Said]:
        if self._modern:
            versions = {"supportedVersions": ["2026-07-28"], "capabilities": SERVER_CAPABILITIES}
            yield from self._exchange("server/discover", {}, versions | _fresh())
            return
        hello = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": CLIENT_INFO}
        capabilities = SERVER_CAPABILITIES | {"logging": {}}
        yield from self._exchange(
            "initialize", hello, hello | {"capabilities": capabilities, "serverInfo": SERVER_INFO}
        )
        yield "client", {"jsonrpc": "2.0", "method": "notifications/initialized"}

    def _exchange(self, method: str, params: dict[str, Any], result: dict[str, Any], *between: Said) -> Iterator[Said]:
        id_ = next(self._ids)
        if self._modern:
            params = params | {"_meta": ENVELOPE | params.get("_meta", {})}
            result = result | {"resultType": "complete", "_meta": {f"{META}serverInfo": SERVER_INFO}}
        head = {"jsonrpc": "2.0", "id": id_}
        yield "client", {**head, "method": method, **({"params": params} if params else {})}
        yield from between
        yield "server", {**head, "result": result}

    def _call(self) -> Iterator[Said]:
        arguments = {"query": self._text(20, 200), "limit": self._random.randint(1, 50)}
        params: dict[str, Any] = {"name": self._random.choice(TOOLS)["name"], "arguments": arguments}
        result = {"content": [{"type": "text", "text": self._text(100, 1800)}], "isError": False}
        between: list[Said] = []
        if self._random.random() < 0.1:
            token = f"t{self._random.getrandbits(40)}"
            params["_meta"] = {"progressToken": token}
            between = [_progress(token, step) for step in (1, 2)]
        elif self._random.random() < 0.1 and not self._modern:
            between = [_notice("message", {"level": "info", "data": self._text(20, 200)})]
        yield from self._exchange("tools/call", params, result, *between)

    def _read(self) -> Iterator[Said]:
        uri = f"note://bench/{self._random.randint(1, 500)}"
        contents = {"contents": [{"uri": uri, "mimeType": "text/plain", "text": self._text(200, 1800)}]}
        yield from self._exchange("resources/read", {"uri": uri}, contents | self._fresh())

    def _prompt(self) -> Iterator[Said]:
        messages = [{"role": "user", "content": {"type": "text", "text": self._text(100, 900)}}]
        params = {"name": "review", "arguments": {"text": self._text(20, 200)}}
        yield from self._exchange("prompts/get", params, {"messages": messages})

    def _ping(self) -> Iterator[Said]:
        if not self._modern:
            yield from self._exchange("ping", {}, {})

    def _list(self) -> Iterator[Said]:
        yield from self._exchange("tools/list", {}, {"tools": TOOLS} | self._fresh())

    def _fresh(self) -> dict[str, Any]:
        return _fresh() if self._modern else {}

    def _text(self, least: int, most: int) -> str:
        size = self._random.randint(least, most)
        return " ".join(self._random.choices(WORDS, k=size // 6 + 1))


def _fresh() -> dict[str, Any]:
    return {"ttlMs": 0, "cacheScope": "private"}


def _notice(name: str, params: dict[str, Any]) -> Said:
    return "server", {"jsonrpc": "2.0", "method": f"notifications/{name}", "params": params}


def _progress(token: str, step: int) -> Said:
    return _notice("progress", {"progressToken": token, "progress": step, "total": 2})


def write(path: Path, era: str, size: int) -> None:
    """Writes a capture of an era that is `size` bytes long, or one message longer."""
    header = {
        "format": "mcpsniff", "version": 1, "id": f"bench-{era}", "transport": "stdio", "command": ["bench-server"]
    }  # fmt: skip
    with path.open("wb") as file:
        written = file.write(record_line("capture", 0, 0, header))
        for seq, (sender, message) in enumerate(Conversation(era), 1):
            written += file.write(_record(seq, sender, message))
            if written >= size and "result" in message:
                break
        file.write(record_line("end", seq + 1, (seq + 1) / 1000, {"records": seq + 2}))


def _record(seq: int, sender: str, message: dict[str, Any]) -> bytes:
    data = json.dumps(message, separators=(",", ":"), ensure_ascii=seq % 3 == 0).encode()
    t = seq / 1000
    return stdio_line(sender, seq, Line(data, len(data) + 1, t, t), None)
