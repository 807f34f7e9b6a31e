"""A client on the Python SDK 2: `mode` of a job is legacy, auto or 2026-07-28, its target a command or a URL.

With `http2` in the job it offers HTTP/2 to a server behind TLS.
"""

from typing import Any

from httpx2 import AsyncClient
from mcp import Client, StdioServerParameters, types
from mcp.client.sse import sse_client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared._httpx_utils import create_mcp_http_client
from steps import PATIENCE, Heard, Job, Outcome, dump, played, serve


async def elicit(_: Any, __: Any) -> types.ElicitResult:
    return types.ElicitResult(action="accept", content={"sure": True})


async def sample(_: Any, __: Any) -> types.CreateMessageResult:
    content = types.TextContent(type="text", text="a thought")
    return types.CreateMessageResult(role="assistant", content=content, model="none")


async def roots(_: Any) -> types.ListRootsResult:
    return types.ListRootsResult(roots=[types.Root(uri="file:///work", name="work")])


def target(job: Job, heard: Heard) -> Any:
    if "command" in job:
        command, *arguments = job["command"]
        return StdioServerParameters(command=command, args=arguments)
    if job["url"].endswith("/sse"):
        return sse_client(job["url"])
    http = AsyncClient(http2=True, timeout=PATIENCE) if job.get("http2") else create_mcp_http_client()
    http.event_hooks = {"response": [heard.answered]}
    return streamable_http_client(job["url"], http_client=http)


async def play(job: Job) -> Outcome:
    heard = Heard()
    async with Client(
        target(job, heard),
        mode=job["mode"],
        client_info=types.Implementation(name=job.get("name", "peer-client"), version="1.0.0"),
        elicitation_callback=elicit,
        sampling_callback=sample,
        list_roots_callback=roots,
        log_level=job.get("log_level"),
        message_handler=heard,
    ) as client:
        steps = await played(client, heard, job["steps"])
        server = dump(client.server_info)
        return {"server": server, "revision": client.protocol_version, "steps": steps, "heard": heard.by_method}


if __name__ == "__main__":
    serve(play)
