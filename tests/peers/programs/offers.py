"""What the servers of every SDK offer alike; what needs the SDK's own ways stands in its server_*.py."""

import asyncio
from typing import Any

NOTE = "note://today"


def offer(server: Any, context: type[Any]) -> None:
    """Registers tools, resources and a prompt; `context` is the class that the SDK hands to a tool."""
    _offer_texts(server)

    @server.tool()
    def echo(text: str) -> str:
        """Give the text back."""
        return text

    @server.tool()
    def add(a: int, b: int) -> int:
        """Add two numbers."""
        return a + b

    @server.tool()
    def fill(size: int) -> str:
        """Give a text of that many characters, which stands in the answer twice: as text and as structure."""
        return "0123456789" * (size // 10)

    @server.tool()
    def fail() -> str:
        """Fail."""
        raise ValueError("as asked")

    @server.tool()
    async def slow(steps: int, ctx: context) -> str:  # type: ignore[valid-type]
        """Tell of every step."""
        for step in range(1, steps + 1):
            await ctx.report_progress(step, steps, f"step {step}")
        return f"{steps} steps"

    @server.tool()
    async def hang(ctx: context) -> str:  # type: ignore[valid-type]
        """Tell that it has begun, and never end."""
        await ctx.report_progress(1)
        await asyncio.get_running_loop().create_future()
        return "never"

    @server.tool()
    def noisy() -> str:
        """Print to stdout, as a tool must not."""
        print("not a message", flush=True)
        return "printed"


def _offer_texts(server: Any) -> None:
    @server.resource(NOTE, mime_type="text/plain")
    def note() -> str:
        """What is to be done today."""
        return "Feed the cat."

    @server.prompt()
    def greet(name: str) -> str:
        """Ask for a greeting."""
        return f"Say hello to {name}."
