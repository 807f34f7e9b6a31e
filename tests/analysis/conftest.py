"""HTTP captures by hand, and the session that the engine gives each of their exchanges to."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from mcpsniff.analysis.engine import Engine
from mcpsniff.capture.reader import read
from mcpsniff.protocol.session import Session
from mcpsniff.rules.selection import NOTHING

JSON = {"Content-Type": "application/json"}
STREAM = {"Content-Type": "text/event-stream"}


class Browser:
    """One HTTP client that writes its exchanges, with their answers, into a capture."""

    def __init__(self, talk: Any, conn: str, address: str, agent: str) -> None:
        self.talk, self.conn, self.address, self.agent = talk, conn, address, agent

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> str:
        """Writes a request; returns its exchange. Header names have `_` for `-`."""
        x = f"x{len(self.talk.records)}"
        pairs = [["User-Agent", self.agent], *([name.replace("_", "-"), value] for name, value in headers.items())]
        url = path if "://" in path else f"http://127.0.0.1:8000{path}"
        self.talk.add(type="request", x=x, conn=self.conn, client=self.address, method=method, url=url, headers=pairs)
        self._body("client", x, body)
        return x

    def tell(self, x: str, status: int, body: Any = None, **headers: str) -> str:
        """Writes the response of an exchange and closes it."""
        pairs = {**(JSON if body is not None else {}), **{k.replace("_", "-"): v for k, v in headers.items()}}
        self.talk.add(type="response", x=x, status=status, headers=[list(pair) for pair in pairs.items()])
        self._body("server", x, body)
        self.talk.add(type="close", x=x, by="server")
        return x

    def stream(self, x: str) -> str:
        """Writes the head of an event stream."""
        self.talk.add(type="response", x=x, status=200, headers=[list(pair) for pair in STREAM.items()])
        return x

    def event(self, x: str, body: Any, **sse: str) -> int:
        """Writes an event that carries a message; returns its record."""
        return int(self.talk.say("server", json.dumps(body), x=x, sse=sse))

    def endpoint(self, x: str, data: str) -> None:
        """Writes the event that opens an HTTP+SSE session."""
        self.talk.add(type="sse", x=x, size=40, event="endpoint", data=data)

    def end(self, x: str, by: str = "server") -> None:
        """Closes a stream."""
        self.talk.add(type="close", x=x, by=by)

    def initialize(self, path: str = "/mcp", id_: str | None = None, name: str = "app", **headers: str) -> str:
        """Writes an accepted handshake of 2025-06-18, `id_` being the session id that the server gives."""
        info = {"name": name, "version": "1"}
        params = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": info}
        x = self.ask("POST", path, {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}, **headers)
        result = {"protocolVersion": "2025-06-18", "capabilities": {}, "serverInfo": info}
        given = {} if id_ is None else {"Mcp_Session_Id": id_}
        return self.tell(x, 200, {"jsonrpc": "2.0", "id": 1, "result": result}, **given)

    def ping(self, path: str = "/mcp", id_: int = 2, **headers: str) -> str:
        """Writes an answered ping."""
        x = self.ask("POST", path, {"jsonrpc": "2.0", "id": id_, "method": "ping"}, **headers)
        return self.tell(x, 200, {"jsonrpc": "2.0", "id": id_, "result": {}})

    def _body(self, sender: str, x: str, body: Any) -> None:
        if isinstance(body, str):
            self.talk.add(type="text", **{"from": sender}, x=x, size=len(body), raw=body)
        elif body is not None:
            self.talk.say(sender, json.dumps(body), x=x)


class Watched(Engine):
    """An engine that notes which session each exchange and each message went to."""

    def _new_session(self, *args: Any) -> Session:
        session = super()._new_session(*args)
        conversation = self._conversation_of(session)
        self.of: dict[str | int, str] = getattr(self, "of", {})
        self.sessions: dict[str, Session] = {**getattr(self, "sessions", {}), session.key: session}
        emit, message = conversation.emit, conversation.message

        def watched_emit(event: str, method: str | None, *args: Any) -> None:
            if event == "on_close":
                self.of[args[0].x] = session.key
            emit(event, method, *args)

        def watched_message(one: Any) -> None:
            self.of[one.seq] = session.key
            message(one)

        conversation.emit, conversation.message = watched_emit, watched_message  # type: ignore[method-assign]
        return session


@pytest.fixture
def client(web: Any) -> Callable[..., Browser]:
    """Makes clients of the capture `web`."""

    def make(conn: str, address: str = "10.0.0.1", agent: str = "heron/1") -> Browser:
        return Browser(web, conn, address, agent)

    return make


@pytest.fixture
def played(web: Any) -> Callable[..., Watched]:
    """Reads the capture `web` and gives the engine that has read it."""

    def play(**header: Any) -> Watched:
        reader = read(web.file(**header))
        engine = Watched(reader.header, NOTHING)
        engine.of, engine.sessions = {}, {}
        for record in reader:
            engine.feed(record)
        engine.finish()
        return engine

    return play
