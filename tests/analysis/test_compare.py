"""Sessions side by side, and tools that share a name; values worked out by hand."""

from mcpsniff.analysis.compare import comparison, tool_collisions


def session(id_, era, marginal, fixed, count=1, tools=()):
    """As much of a session as the comparison looks at."""
    return {
        "id": id_,
        "era": era,
        "round_trips": {"before_first_call": 1 if era == "legacy" else 0},
        "calls": {"count": count, "bytes_per_call": {"marginal": marginal, "fixed": fixed}},
        "tools": [{"name": name, "definition_bytes": size} for name, size in tools],
    }


def test_break_even():
    """524 fixed bytes against 308.96 more a call: both cost the same after 1.70 calls."""
    both = comparison([session("s1", "legacy", 227.92, 524), session("s2", "modern", 536.88, 0)])
    assert both == {
        "sessions": ["s1", "s2"], "break_even_calls": 1.7, "round_trips": [1, 0], "bytes_per_call": [227.92, 536.88],
    }  # fmt: skip


def test_no_break_even_where_one_is_always_cheaper():
    """A probe makes the modern session's fixed bytes larger as well: the lines do not cross."""
    assert (
        comparison([session("s1", "legacy", 200, 500), session("s2", "modern", 500, 600)])["break_even_calls"] is None
    )


def test_no_break_even_where_the_beginning_is_unknown():
    """Fixed bytes that nobody saw cannot be compared."""
    assert comparison([session("s1", "legacy", 200, None), session("s2", "modern", 500, 0)])["break_even_calls"] is None


def test_the_session_with_the_most_calls_speaks_for_its_era():
    """The longer session gives the better mean."""
    sessions = [session("s1", "legacy", 1, 1), session("s2", "legacy", 2, 1, count=9), session("s3", "modern", 3, 0)]
    assert comparison(sessions)["sessions"] == ["s2", "s3"]


def test_one_era_alone_is_no_comparison():
    """A session without calls does not count either."""
    assert comparison([session("s1", "legacy", 1, 1), session("s2", "modern", None, 0)]) is None


def test_collisions_are_between_servers():
    """Two sessions of one server share all names and collide with nobody; a tool that was not listed is not offered."""
    sessions = [
        session("s1", "legacy", 1, 1, tools=[("search", 9), ("add", 9)]),
        session("s2", "modern", 1, 1, tools=[("search", 9), ("add", 9)]),
        session("s3", "modern", 1, 1, tools=[("search", 9), ("add", None)]),
    ]
    servers = {"s1": "library", "s2": "library", "s3": "calendar"}
    assert tool_collisions(sessions, servers) == [{"name": "search", "servers": ["s1", "s3"]}]
