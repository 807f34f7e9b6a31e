"""What arrives changes a session, and nothing can break it."""

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from mcpsniff.protocol import lists, mrtr, pairing, subscriptions
from mcpsniff.protocol.arrival import apply
from mcpsniff.protocol.lifecycle import Phase
from mcpsniff.protocol.marks import Label
from mcpsniff.protocol.matching import match
from mcpsniff.protocol.message import CLIENT, SERVER, Message
from mcpsniff.protocol.revisions import REVISIONS
from mcpsniff.protocol.servers import ServerFacts
from mcpsniff.protocol.session import Session


def test_a_notification_with_an_id_still_counts(talk):
    """initialized with an id is wrong, but it was sent: nobody waits for an answer to it."""
    one = talk()
    one.ask("initialize", 0, protocolVersion="2025-06-18")
    one.answer(0, protocolVersion="2025-06-18")
    one.feed(CLIENT, {"jsonrpc": "2.0", "id": 1, "method": "notifications/initialized"})
    assert one.session.initialized_seq == 3
    assert one.session.calls.all_open() == []
    assert one.session.calls.used(CLIENT, one.heard[-1].id) == 3


def test_progress_is_kept_exactly(talk):
    """The last value of a request's progress, as a decimal."""
    one = talk()
    one.feed(CLIENT, {"id": 1, "method": "tools/call", "params": {"_meta": {"progressToken": "t"}}})
    one.feed(SERVER, b'{"method":"notifications/progress","params":{"progressToken":"t","progress":0.30}}')
    call = one.session.calls.all_open()[0]
    assert (str(call.progress), call.progress_seq, call.progress_at) == ("0.30", 2, 1.0)


NAMES = [
    "_meta",
    "progressToken",
    "progress",
    "requestId",
    "cursor",
    "nextCursor",
    "tools",
    "name",
    "level",
    "uri",
    "data",
    "notifications",
    "capabilities",
    "protocolVersion",
    "inputRequests",
    "requestState",
    "resultType",
    "supportedVersions",
    "supported",
    "code",
    "message",
    "io.modelcontextprotocol/protocolVersion",
    "io.modelcontextprotocol/subscriptionId",
]
METHODS = [
    "initialize",
    "ping",
    "tools/list",
    "tools/call",
    "server/discover",
    "resources/read",
    "subscriptions/listen",
    "logging/setLevel",
    "roots/list",
    "notifications/initialized",
    "notifications/cancelled",
    "notifications/progress",
    "notifications/tools/list_changed",
    "notifications/subscriptions/acknowledged",
    "unknown/method",
]
FLAT = st.none() | st.booleans() | st.integers(-3, 3) | st.floats(allow_nan=False, allow_infinity=False)
JSON = st.recursive(
    FLAT | st.sampled_from(["", "a", "2025-06-18", "2026-07-28"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(NAMES), inner, max_size=4),
    max_leaves=10,
)
EVENT = st.tuples(
    st.sampled_from([CLIENT, SERVER]),
    st.fixed_dictionaries(
        {"jsonrpc": st.just("2.0")},
        optional={
            "id": st.sampled_from([0, 1, "1", None, 1.5]),
            "method": st.sampled_from(METHODS),
            "params": JSON,
            "result": JSON,
        }
        | {"error": JSON},
    ),
)


@settings(max_examples=200)
@given(st.lists(EVENT, max_size=25))
def test_any_sequence_of_messages(events):
    """No sequence raises; phase, labels and revisions stay in their lists, and stores within what came in."""
    session = Session("s1", "stdio", ServerFacts())
    heard = []
    for number, (sender, value) in enumerate(events, 1):
        raw = json.dumps(value).encode()
        message = Message(raw, sender, number, float(number), len(raw))
        call = match(session, message)
        session.breach(message, call)
        apply(session, message, call)
        heard.append(message)
        assert session.phase in Phase
    assert {message.mark.label for message in heard} <= set(Label)
    assert {message.mark.revision for message in heard} <= {None, *REVISIONS}
    assert session.era.verdict in ("modern", "legacy", "mixed", "unknown")
    assert {session.era.client, session.era.server_side} <= {"modern", "legacy", "dual", "unknown"}
    assert len(session.calls.all_open()) + len(session.subscriptions.open()) <= 2 * len(events)
    assert all(call.seq <= len(events) for call in session.calls.all_open())


def test_stores_keep_to_their_caps(monkeypatch):
    """Endless traffic fills every store to its cap and no further, and each drop is counted under its name."""
    for module, name in [(pairing, "OPEN_CAP"), (pairing, "USED_CAP"), (lists, "CURSOR_CAP"), (mrtr, "LEG_CAP")]:
        monkeypatch.setattr(module, name, 5)
    monkeypatch.setattr(subscriptions, "CAP", 5)
    session = Session("s1", "stdio", ServerFacts())
    for number in range(20):
        for sender, value in _endless(number):
            raw = json.dumps({"jsonrpc": "2.0", **value}).encode()
            message = Message(raw, sender, number, float(number), len(raw))
            apply(session, message, match(session, message))
    assert len(session.calls.all_open()) <= 5
    assert len(session.legs.waiting()) == 5
    assert len(session.lists.cursors) == 5
    assert len(session.subscriptions.open()) == 5
    stores = {"open calls", "request ids", "cursors", "input_required legs", "subscriptions"}
    assert {name for name, count in session.dropped.items() if count} >= stores


def _endless(number):
    """Gives one round of traffic that leaves something behind in every store."""
    yield CLIENT, {"id": f"c{number}", "method": "tools/call", "params": {"name": "a"}}
    yield SERVER, {"id": f"c{number}", "result": {"resultType": "input_required", "requestState": str(number)}}
    yield CLIENT, {"id": f"l{number}", "method": "tools/list"}
    yield SERVER, {"id": f"l{number}", "result": {"tools": [], "nextCursor": str(number)}}
    yield CLIENT, {"id": f"s{number}", "method": "subscriptions/listen", "params": {"notifications": {}}}
