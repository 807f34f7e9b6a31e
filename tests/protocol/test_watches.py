"""Which URIs are watched, and how generously URIs compare."""

import pytest

from mcpsniff.protocol.watches import is_below, plain

SUBSCRIBE, UNSUBSCRIBE = "resources/subscribe", "resources/unsubscribe"
GRACE = 1.0  # seconds


@pytest.fixture
def side(talk):
    """Gives a handshake session; its clock counts messages, a second each."""
    one = talk()
    one.handshake()
    return one


def active(side, uri):
    """Gives whether an update of a resource may come now."""
    now = float(len(side.heard))
    return any(watch.active(now, GRACE) for watch in side.session.watches.above(uri))


def test_subscription_counts_from_its_request_on(side):
    """An update may come before the answer does, and not before the request."""
    assert not active(side, "file:///a")
    side.ask(SUBSCRIBE, 1, uri="file:///a")
    assert active(side, "file:///a")
    side.answer(1)
    assert active(side, "file:///a/b")
    assert not active(side, "file:///ab")


def test_failed_subscription_watches_nothing(side):
    """An error ends it before it began; another try begins anew."""
    side.ask(SUBSCRIBE, 1, uri="file:///a")
    side.refuse(-32602, 1)
    assert side.session.watches.of("file:///a").failed
    assert not active(side, "file:///a")
    side.ask(SUBSCRIBE, 2, uri="file:///a")
    assert active(side, "file:///a")


def test_end_leaves_a_moment_for_what_is_under_way(side):
    """After the answer to unsubscribe updates may come for the grace, not later; an error ends nothing."""
    side.ask(SUBSCRIBE, 1, uri="file:///a")
    side.answer(1)
    side.ask(UNSUBSCRIBE, 2, uri="file:///a")
    side.refuse(-32603, 2)
    assert active(side, "file:///a")
    side.ask(UNSUBSCRIBE, 3, uri="file:///a")
    side.answer(3)
    assert active(side, "file:///a")
    side.ask("ping", 4)
    side.answer(4)
    assert not active(side, "file:///a")


def test_other_requests_with_a_uri_watch_nothing(side):
    """Reading a resource is no subscription, nor is a URI that is no string."""
    side.ask("resources/read", 1, uri="file:///a")
    side.answer(1)
    side.ask(SUBSCRIBE, 2, uri=7)
    assert side.session.watches.above("file:///a") == []


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("file:///a/", "file:///a"),
        ("FILE:///a", "file:///a"),
        ("http://Host/a", "http://host/a"),
        ("file:///a%20b", "file:///a b"),
        ("urn:x", "urn:x"),
    ],
)
def test_spellings_of_one_resource(one, other):
    """Escapes, the case of scheme and host and the slash at the end tell no resources apart; the path's case does."""
    assert plain(one) == plain(other)
    assert plain("file:///A") != plain("file:///a")


@pytest.mark.parametrize(
    ("uri", "parent", "below"),
    [
        ("db://t/7", "db://t/{id}", True),
        ("db://u/7", "db://t/{id}", False),
        ("file:///a/b", "file:///a", True),
        ("file:///a", "file:///a/b", False),
    ],
)
def test_what_lies_below(uri, parent, below):
    """Paths below a parent, and what a template may stand for."""
    assert is_below(uri, parent) is below
