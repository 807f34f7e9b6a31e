"""The engine's table of handlers, with addons written for it."""

import asyncio

from mitmproxy.addons import core
from mitmproxy.master import Master
from mitmproxy.options import Options
from mitmproxy.proxy.layers.http import HttpRequestHook, HttpResponseHook
from mitmproxy.test import tflow

from mcpsniff.proxy.dispatch import Dispatcher


class First:
    """Notes what it is told of, and fails at the second request."""

    def __init__(self, told):
        self.told = told
        self.requests = 0

    def request(self, flow):
        self.told.append("first")
        self.requests += 1
        assert self.requests < 2, "on purpose"

    def update(self, flows):
        self.told.append("update")


class Second:
    """Takes its time."""

    def __init__(self, told):
        self.told = told

    async def request(self, flow):
        await asyncio.sleep(0)
        self.told.append("second")

    def response(self, flow):
        self.told.append("response")


def play(*hooks):
    """What the two addons were told of."""
    told = []

    async def main():
        master = Master(Options())
        master.addons = Dispatcher(master)
        master.addons.add(core.Core(), First(told), Second(told))
        for hook in hooks:
            await master.addons.handle_lifecycle(hook(tflow.tflow(resp=True)))

    asyncio.run(main())
    return told


def test_handlers_are_called_in_order():
    """One is waited for before the next; nobody is told that there was a change."""
    assert play(HttpRequestHook, HttpResponseHook) == ["first", "second", "response"]


def test_addon_that_fails(caplog):
    """The log tells of it, and the others are called."""
    assert play(HttpRequestHook, HttpRequestHook) == ["first", "second"] * 2
    assert "on purpose" in caplog.text
