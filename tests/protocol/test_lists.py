"""Walks through lists, and cursors that outlive their session."""

import pytest

from mcpsniff.protocol.era import ServerFacts


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
