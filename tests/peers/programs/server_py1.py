"""A server on the Python SDK 1: legacy alone, on stdio when run; `APPS` holds it for HTTP."""

from mcp.server.fastmcp import Context, FastMCP
from offers import NOTE, offer
from pydantic import BaseModel


class Answer(BaseModel):
    sure: bool


def build() -> FastMCP:
    """The server."""
    server = FastMCP("peer-py1", log_level="ERROR")
    offer(server, Context)

    @server.tool()
    async def confirm(ctx: Context) -> str:
        """Ask the user."""
        answer = await ctx.elicit("Are you sure?", Answer)
        return "sure" if answer.action == "accept" and answer.data.sure else "not sure"

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
        """Tell of a change."""
        await ctx.session.send_resource_updated(NOTE)
        return "touched"

    return server


APPS = {"events": lambda: build().streamable_http_app()}

if __name__ == "__main__":
    build().run("stdio")
