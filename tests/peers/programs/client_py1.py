"""A client on the Python SDK 1: legacy alone; the target of a job is a command or a URL."""

from contextlib import AbstractAsyncContextManager
from typing import Any

from mcp import ClientSession, StdioServerParameters, stdio_client, types
from mcp.client.streamable_http import streamable_http_client
from steps import Heard, Job, Outcome, dump, played, serve


async def elicit(_: Any, __: Any) -> types.ElicitResult:
    return types.ElicitResult(action="accept", content={"sure": True})


async def roots(_: Any) -> types.ListRootsResult:
    return types.ListRootsResult.model_validate({"roots": [{"uri": "file:///work", "name": "work"}]})


def connection(job: Job) -> AbstractAsyncContextManager[Any]:
    if "command" in job:
        command, *arguments = job["command"]
        return stdio_client(StdioServerParameters(command=command, args=arguments))
    return streamable_http_client(job["url"])


async def play(job: Job) -> Outcome:
    heard = Heard()
    info = types.Implementation(name=job.get("name", "peer-client"), version="1.0.0")
    callbacks = {"elicitation_callback": elicit, "list_roots_callback": roots, "message_handler": heard}
    async with (
        connection(job) as (receive, send, *_),
        ClientSession(receive, send, client_info=info, **callbacks) as client,
    ):
        begun = await client.initialize()
        steps = await played(client, heard, job["steps"])
        server, revision = dump(begun.serverInfo), begun.protocolVersion
        return {"server": server, "revision": revision, "steps": steps, "heard": heard.by_method}


if __name__ == "__main__":
    serve(play)
