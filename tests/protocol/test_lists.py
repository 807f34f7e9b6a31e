"""Walks through lists, and cursors that outlive their session."""

import pytest

from mcpsniff.protocol.servers import ServerFacts


@pytest.fixture
def side(talk):
    """Gives a session with a page of a list that has another one behind it."""
    one = talk()
    one.handshake()
    page(one, 1, nextCursor="p2")
    return one


def page(side, id, tools=(), cursor=None, **result):
    """Asks for a page of the tools and gives it."""
    side.ask("tools/list", id, **({"cursor": cursor} if cursor else {}))
    side.answer(id, tools=list(tools), **result)


def test_walk_is_under_way_until_its_last_page(side):
    """A page without a cursor ends it."""
    assert [walk.cursor for walk in side.session.lists.under_way()] == ["p2"]
    page(side, 2, cursor="p2")
    assert side.session.lists.under_way() == []
    assert len(side.session.lists.last_complete("tools/list").pages) == 2


def test_change_makes_the_complete_walk_stale_too(side):
    """Also where another walk has begun since."""
    page(side, 2, cursor="p2")
    page(side, 3, nextCursor="p2")
    side.note("server", "notifications/prompts/list_changed")
    assert not side.session.lists.last_complete("tools/list").stale
    side.note("server", "notifications/tools/list_changed")
    assert side.session.lists.last_complete("tools/list").stale
    assert side.session.lists.is_stale("tools/list")


def test_server_remembers_cursors_of_all_sessions(talk):
    """By list: the record that issued it first."""
    server = ServerFacts()
    first, second = talk(server=server), talk(server=server)
    page(first, 1, nextCursor="p2")
    page(first, 2, nextCursor="p2")
    assert second.session.lists.issued_before("tools/list", "p2") == 2
    assert second.session.lists.issued_before("prompts/list", "p2") is None
    assert ("tools/list", "p2") not in second.session.lists.cursors


def test_settled_walk_lacks_what_it_does_not_list(side):
    """Only a whole walk that ended before the request, with no change since, says that something is not there."""
    lists = side.session.lists
    asked_early = len(side.heard) + 1
    page(side, 2, [{"name": "Add"}], cursor="p2")
    later = len(side.heard) + 1
    assert lists.lacks("tools/list", "add", asked_early) is None
    walk = lists.lacks("tools/list", "add", later)
    assert walk.has_alike("add")
    assert not walk.has_alike("sub")
    assert walk.item("Add") == {"name": "Add"}
    assert lists.lacks("tools/list", "Add", later) is None
    page(side, 3, [{"name": "new"}], nextCursor="p2")
    assert lists.lacks("tools/list", "new", len(side.heard) + 1) is None
    side.note("server", "notifications/tools/list_changed")
    assert lists.lacks("tools/list", "add", len(side.heard) + 1) is None


def test_tool_is_described_before_its_call(side):
    """A call that came first, or after a change, has no description."""
    early = call_of(side, "t", 7)
    page(side, 2, [{"name": "t", "inputSchema": {"type": "object", "required": ["a"]}}], cursor="p2")
    tool = side.session.lists.described(call_of(side, "t", 8))
    assert [flaw.where for flaw in tool.judged("inputSchema").flaws({})] == ["/a"]
    assert side.session.lists.described(early) is None
    assert side.session.lists.described(call_of(side, "u", 9)) is None
    side.note("server", "notifications/tools/list_changed")
    assert side.session.lists.described(call_of(side, "t", 10)) is None


def call_of(side, name, id):
    """Calls a tool and gives the call."""
    asked = side.ask("tools/call", id, name=name)
    return side.session.calls.waiting("client", asked.id)
