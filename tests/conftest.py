"""Captures made in memory from what two sides said, and the session that the report makes of them."""

import json
import os
import signal
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from io import BytesIO
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, settings

if TYPE_CHECKING:
    from mcpsniff.analysis.report import Report

# The machine may be busy. All else is Hypothesis's own: in CI its profile for CI, which tries the same each time.
settings.register_profile("house", settings(), deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("house")

META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": {"name": "fixture-client", "version": "1.0.0"},
    "io.modelcontextprotocol/clientCapabilities": {},
}


class Talk:
    """One capture in the making; records are numbered as they come, a tenth of a second apart."""

    def __init__(self, transport: str = "stdio") -> None:
        self._transport = transport
        self.records: list[dict[str, Any]] = []

    def add(self, **fields: Any) -> int:
        """Adds a record and returns its number."""
        seq = len(self.records) + 1
        self.records.append({"type": fields.pop("type"), "seq": seq, "t": seq / 10, **fields})
        return seq

    def say(self, sender: str, text: str, **fields: Any) -> int:
        """Adds a message exactly as `text` has it; on stdio its size is that of a line with its end."""
        fields.setdefault("size", len(text.encode()) + (self._transport == "stdio"))
        return self.add(type="message", **{"from": sender}, **fields, message=text)

    def client(self, **message: Any) -> int:
        """Adds a message of the client, written compactly."""
        return self.say("client", compact(message))

    def server(self, **message: Any) -> int:
        """Adds a message of the server, written compactly."""
        return self.say("server", compact(message))

    def handshake(self) -> None:
        """Adds initialize, its answer and initialized."""
        info = {"name": "fixture-client", "version": "1.0.0"}
        params = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": info}
        self.client(id=0, method="initialize", params=params)
        server = {"capabilities": {"tools": {}}, "serverInfo": {"name": "srv", "version": "2"}}
        self.server(id=0, result={"protocolVersion": "2025-11-25", **server})
        self.client(method="notifications/initialized")

    def lines(self, header: dict[str, Any], end: bool) -> Iterable[str]:
        yield json.dumps({"type": "capture", "seq": 0, "t": 0, "format": "mcpsniff", "version": 1, **header})
        for record in self.records:
            text = record.get("message")
            if isinstance(text, str):
                # nothing may stand around the message: blanks there belong to it
                yield json.dumps({**record, "message": 0}, separators=(",", ":")).removesuffix("0}") + text + "}"
            else:
                yield json.dumps(record)
        if end:
            count = len(self.records)
            yield json.dumps({"type": "end", "seq": count + 1, "t": count / 10, "records": count + 2})

    def file(self, *, end: bool = True, **header: Any) -> BytesIO:
        """Returns the capture as a file."""
        header = {"id": "c", "transport": self._transport, **header}
        return BytesIO("".join(f"{line}\n" for line in self.lines(header, end)).encode("utf-8", "surrogatepass"))

    def session(self, **header: Any) -> Any:
        """Returns the report's only session."""
        (one,) = report_of(self.file(**header)).sessions
        return one


def compact(message: dict[str, Any]) -> str:
    """A JSON-RPC message without blanks."""
    return json.dumps({"jsonrpc": "2.0", **message}, separators=(",", ":"), ensure_ascii=False)


def report_of(*files: BytesIO, rules: bool = False) -> "Report":
    """The report on captures; without rules unless they are asked for."""
    from mcpsniff.analysis.engine import analyze
    from mcpsniff.analysis.report import build
    from mcpsniff.rules.selection import NOTHING, Selection

    chosen = Selection() if rules else NOTHING
    return build((analyze(file, chosen) for file in files), chosen.tiers)


@pytest.fixture
def talk() -> Talk:
    """An empty stdio capture."""
    return Talk()


@pytest.fixture
def web() -> Talk:
    """An empty HTTP capture."""
    return Talk("http")


@pytest.fixture
def report() -> "Callable[..., Report]":
    """Makes the report on captures."""
    return report_of


@pytest.fixture
def meta() -> dict[str, Any]:
    """The envelope of a modern request."""
    return dict(META)


@pytest.fixture
def pipe() -> Iterator[Callable[[], tuple[int, int]]]:
    """Makes pipes (read end, write end) that are closed after the test."""
    made: list[tuple[int, int]] = []

    def make() -> tuple[int, int]:
        made.append(os.pipe())
        return made[-1]

    yield make
    for fd in (fd for pair in made for fd in pair):
        with suppress(OSError):
            os.close(fd)


@pytest.fixture
def small_channel(monkeypatch: pytest.MonkeyPatch) -> None:
    """Gives channels to recorders room for eight chunks of 500 bytes, and for control frames half a chunk more."""
    channel = "mcpsniff.relay.channel"
    monkeypatch.setattr(f"{channel}.ROOM", 8 * 500 + 250)
    monkeypatch.setattr(f"{channel}._SPARE", 250)
    monkeypatch.setattr(f"{channel}._PATIENCE", 0)
    monkeypatch.setattr(f"{channel}._PATIENCE_AT_FIRST", 0)
    monkeypatch.setattr("mcpsniff.relay.room.RING", 0)


@pytest.fixture(autouse=True, scope="session")
def _hangup_as_usual() -> Iterator[None]:
    """Lets SIGHUP end the processes that tests start, also where the tests themselves run under nohup."""
    before = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    yield
    signal.signal(signal.SIGHUP, before)
