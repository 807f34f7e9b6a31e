"""A server on the Python SDK 2: both eras, on stdio when run; `APPS` holds it for HTTP, by kind of answer."""

from typing import Annotated, Any

from mcp import types
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.resolve import Elicit, Resolve
from offers import NOTE, offer
from pydantic import BaseModel


class Answer(BaseModel):
    sure: bool


def ask() -> Elicit[Answer]:
    return Elicit("Are you sure?", Answer)


def build() -> MCPServer[Any]:
    """The server."""
    server: MCPServer[Any] = MCPServer("peer-py2", version="1.0.0")
    offer(server, Context)

    @server.tool()
    def confirm(answer: Annotated[Answer, Resolve(ask)]) -> str:
        """Ask the user."""
        return "sure" if answer.sure else "not sure"

    @server.tool()
    async def chatty(ctx: Context) -> str:
        """Log."""
        await ctx.info("a word", logger_name="peer")
        return "logged"

    @server.tool()
    async def roots(ctx: Context) -> str:
        """Ask for the client's roots, apart from the call."""
        found = await ctx.session.list_roots()
        return ", ".join(str(root.uri) for root in found.roots)

    @server.tool()
    async def touch(ctx: Context) -> str:
        """Tell of a change, to legacy clients and to those that listen."""
        if ctx.protocol_version == types.LATEST_PROTOCOL_VERSION:
            await ctx.notify_resource_updated(NOTE)
        else:
            await ctx.session.send_resource_updated(NOTE)
        return "touched"

    return server


APPS = {
    "events": lambda: build().streamable_http_app(),
    "json": lambda: build().streamable_http_app(json_response=True),
    "stateless": lambda: build().streamable_http_app(stateless_http=True),
    "old": lambda: build().sse_app(),
}

if __name__ == "__main__":
    build().run("stdio")
