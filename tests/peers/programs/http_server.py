"""Serves the apps of a server_*.py on loopback, and writes down what passes: `http_server.py MODULE FOLDER`.

Says where each app listens in one line of JSON on stdout. Each is served twice, the second time as NAME-direct, for a
client without mcpsniff. The diary, FOLDER/NAME.jsonl, gets a line for each exchange when it is over: what a capture is
compared with.
"""

import importlib
import json
import socket
import sys
from pathlib import Path
from typing import Any

import anyio
import uvicorn

PATHS = {"old": "/sse"}  # of an app that does not serve /mcp


class Diary:
    """An ASGI app around another that writes its HTTP exchanges down."""

    def __init__(self, app: Any, path: Path) -> None:
        self._app = app
        self._path = path
        path.touch()

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        seen: dict[str, Any] = {"method": scope["method"], "path": scope["path"]}
        asked, answered = bytearray(), bytearray()

        async def receiving() -> Any:
            event = await receive()
            asked.extend(event.get("body", b""))
            return event

        async def sending(event: dict[str, Any]) -> None:
            if event["type"] == "http.response.start":
                seen["status"] = event["status"]
                seen["media"] = dict(event["headers"]).get(b"content-type", b"").decode()
            answered.extend(event.get("body", b""))
            await send(event)

        try:
            await self._app(scope, receiving, sending)
        finally:
            with self._path.open("a") as diary:
                diary.write(json.dumps({**seen, "request": asked.decode(), "response": answered.decode()}) + "\n")


async def serve(module: str, folder: Path) -> None:
    """Runs until it is killed."""
    where = {}
    async with anyio.create_task_group() as group:
        for app, make in importlib.import_module(module).APPS.items():
            for name in (app, f"{app}-direct"):
                listening = socket.create_server(("127.0.0.1", 0))
                config = uvicorn.Config(Diary(make(), folder / f"{name}.jsonl"), log_level="warning", lifespan="on")
                group.start_soon(uvicorn.Server(config).serve, [listening])
                where[name] = f"http://127.0.0.1:{listening.getsockname()[1]}{PATHS.get(app, '/mcp')}"
        print(json.dumps(where), flush=True)


if __name__ == "__main__":
    anyio.run(serve, sys.argv[1], Path(sys.argv[2]))
