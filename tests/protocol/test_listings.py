"""Lists that connections of one server read."""

from mcpsniff.protocol.servers import ServerFacts


def read(side, id, *names, **params):
    """Reads the whole list of tools; gives what is known of it before and after."""
    asked = side.ask("tools/list", id, modern=True, **params)
    call = side.session.calls.waiting("client", asked.id)
    side.answer(id, True, tools=[{"name": name} for name in names])
    return call


def test_readings_are_the_servers(talk):
    """Sessions of one server share them; the order of names does not count."""
    server = ServerFacts()
    one, other = talk(server=server), talk(server=server)
    read(one, 1, "a", "b")
    call = read(other, 1, "b", "a")
    first, second = one.session.listings.so_far(call)
    assert first.names == second.names


def test_change_is_told_with_the_one_tool_called(talk):
    """Between two readings of a connection; two tools explain nothing."""
    one = talk()
    read(one, 1, "a")
    one.ask("tools/call", 2, modern=True, name="x")
    one.answer(2, True, content=[])
    read(one, 3, "b")
    one.ask("tools/call", 4, modern=True, name="x")
    one.answer(4, True, content=[])
    one.ask("tools/call", 5, modern=True, name="y")
    one.answer(5, True, content=[])
    first, second, third = one.session.listings.so_far(read(one, 6, "a"))
    assert (first.before, first.tool) == (None, None)
    assert (second.before, second.tool) == (first.names, "x")
    assert (third.names, third.tool) == (first.names, None)


def test_pages_are_no_readings(talk):
    """Neither the first of several nor the last."""
    one = talk()
    one.ask("tools/list", 1, modern=True)
    one.answer(1, True, tools=[], nextCursor="p2")
    assert one.session.listings.so_far(read(one, 2, "a", cursor="p2")) == []
