"""The addon in a loop of its own."""

import asyncio
import json

import pytest
from mitmproxy.test import taddons

from mcpsniff.proxy.addon import McpCapture

from .stage import Stage


@pytest.fixture
def play(tmp_path):
    """Runs a scenario with the stage set, in a loop."""
    path = tmp_path / "capture.jsonl"

    def run(scenario, marks=True, **options):
        async def main():
            addon = McpCapture(marks=marks)
            with taddons.context(addon) as context:
                context.options.add_option("keep_host_header", bool, False, "")
                context.master.addons.lookup["proxyserver"] = type("Servers", (), {"servers": ()})()
                context.configure(addon, mcp_capture=str(path), **options)
                addon.running()
                scenario(Stage(context, addon))
                await asyncio.sleep(0.05)  # what is written soon was asked for before: it comes first

        asyncio.run(main())
        return [json.loads(line) for line in path.read_bytes().splitlines()[1:]] if path.exists() else []

    return run
