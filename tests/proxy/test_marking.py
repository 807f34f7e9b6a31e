"""Which flows are marked, and who is told of it."""

import asyncio
import gc

import pytest
from mitmproxy import contentviews
from mitmproxy.addons.view import View
from mitmproxy.test import taddons, tflow

from mcpsniff.proxy import marking
from mcpsniff.proxy.findings import Told
from mcpsniff.proxy.marking import Marking
from mcpsniff.proxy.remarks import Finding

ERROR = Finding(4, "tool-name", "error", "why")


class Listener:
    """An addon that hears which flows are to be shown anew."""

    def __init__(self):
        self.updates = []

    def update(self, flows):
        self.updates.append([flow.id for flow in flows])


@pytest.fixture
def play(monkeypatch):
    """Runs a scenario with the marking of a mitmproxy with a screen, and what gives it findings."""
    hears = []
    monkeypatch.setattr(marking, "follow", lambda path, capture, hear: hears.append(hear) or Follower())

    def run(scenario, *addons):
        async def main():
            with taddons.context(*addons) as context:
                made = Marking()
                made.follow("c.jsonl", "c")
                scenario(context, made, hears)

        asyncio.run(main())

    return run


class Follower:
    """One that has nothing to end."""


def test_findings_find_their_flow(play):
    """Open or over; the screens are told once of all that changed, in the filter, too."""
    listener, view = Listener(), View()

    def scenario(context, made, hears):
        flows = [tflow.tflow(resp=True) for _ in range(3)]
        for number, flow in enumerate(flows):
            made.begin(f"x{number}", flow)
        view.add(flows)
        made.conclude("x0", flows[0])
        view.set_filter_cmd("~marked")
        (hear,) = hears
        hear([Told("x0", ERROR, False), Told("x1", ERROR, False), Told("x1", ERROR._replace(seq=5), False)])
        assert list(view) == flows[:2]
        hear([Told("x1", ERROR, True), Told("x1", ERROR._replace(seq=5), True), Told("x9", ERROR, False)])
        assert list(view) == flows[:1]
        assert listener.updates == [[flow.id for flow in flows[:2]], [flows[1].id]]

    play(scenario, view, listener)


def test_what_the_console_shows_is_shown_anew(play):
    """It keeps what a view made of a body, unless it is told that the view has changed; other flows leave it alone."""
    told = []
    changed = contentviews.registry.on_change if hasattr(contentviews, "registry") else contentviews.on_add

    def hear_of(view):
        told.append(view.name)

    def scenario(context, made, hears):
        flows = [tflow.tflow(resp=True) for _ in range(2)]
        for number, flow in enumerate(flows):
            made.begin(f"x{number}", flow)
        view.add(flows)
        view.focus.flow = flows[0]
        for x in ("x1", "x0"):
            told.append(x)
            hears[0]([Told(x, ERROR, False)])

    view = View()
    changed.connect(hear_of)
    play(scenario, view)
    assert told == ["x1", "x0", "MCP"]


def test_a_flow_that_mitmproxy_has_dropped(play):
    """It is not kept for our sake."""
    listener = Listener()

    def scenario(context, made, hears):
        made.begin("x1", tflow.tflow())
        gc.collect()
        hears[0]([Told("x1", ERROR, False)])
        assert listener.updates == []

    play(scenario, View(), listener)


def test_without_a_screen_nothing_is_followed(play):
    """mitmdump has none."""

    def scenario(context, made, hears):
        assert hears == []

    play(scenario)
