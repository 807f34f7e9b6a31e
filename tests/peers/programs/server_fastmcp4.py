"""A server on FastMCP 4: both eras, on stdio when run; `APPS` holds it for HTTP."""

from typing import Any

from fastmcp import Context, FastMCP
from offers import offer


def build() -> FastMCP[Any]:
    """The server."""
    server: FastMCP[Any] = FastMCP("peer-fastmcp4", version="1.0.0")
    offer(server, Context)

    @server.tool()
    async def chatty(ctx: Context) -> str:
        """Log."""
        await ctx.info("a word", logger_name="peer")
        return "logged"

    return server


APPS = {"events": lambda: build().http_app()}

if __name__ == "__main__":
    build().run(show_banner=False)
