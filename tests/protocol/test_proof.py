"""What a server's messages prove of the era."""

import pytest

from mcpsniff.protocol.marks import Label
from mcpsniff.protocol.message import SERVER

MODERN, PROBE, SERVED = Label.MODERN, Label.PROBE, Label.SERVED


@pytest.mark.parametrize(
    ("result", "label", "side"),
    [
        ({"resultType": "complete"}, MODERN, "modern"),
        ({"supportedVersions": ["2026-07-28"]}, MODERN, "modern"),
        ({"supportedVersions": ["2025-11-25", "2026-07-28"]}, MODERN, "dual"),
        ({"supportedVersions": ["2025-11-25"]}, PROBE, "legacy"),
        ({"ttlMs": 0, "cacheScope": "private"}, MODERN, "modern"),
        ({"ttlMs": 0}, SERVED, "legacy"),
        ({}, SERVED, "legacy"),
    ],
)
def test_results_to_a_modern_request(talk, result, label, side):
    """A marker of the modern era proves it, a list without a modern version disproves it, silence means served."""
    one = talk()
    one.ask("server/discover", modern=True)
    one.answer(**result)
    assert one.labels() == [label]
    assert one.session.era.server_side == side


@pytest.mark.parametrize(
    ("code", "data", "label", "side"),
    [
        (-32020, {}, MODERN, "modern"),
        (-32021, {}, MODERN, "modern"),
        (-32022, {}, MODERN, "modern"),
        (-32022, {"supported": ["2026-07-28"]}, MODERN, "modern"),
        (-32022, {"supported": ["2025-11-25"]}, PROBE, "legacy"),
        (-32042, {}, PROBE, "legacy"),
        (-32601, {}, PROBE, "unknown"),
        (-32602, {}, PROBE, "unknown"),
        (-32600, {}, PROBE, "unknown"),
        (-32603, {}, PROBE, "unknown"),
        (-32000, {}, PROBE, "unknown"),
    ],
)
def test_errors_to_a_modern_request(talk, code, data, label, side):
    """Three codes prove the modern era, unless the versions beside them are all of the other; the rest says nothing."""
    one = talk()
    one.ask("tools/list", modern=True)
    one.refuse(code, **data)
    assert one.labels() == [label]
    assert one.session.era.server_side == side


@pytest.mark.parametrize(("status", "label"), [(404, MODERN), (200, PROBE)])
def test_not_found_over_http(talk, status, label):
    """404 with a JSON-RPC -32601 is what a modern server answers to a method that it lacks."""
    one = talk("http")
    one.post("1").status = status
    one.ask("server/discover", modern=True, x="1")
    one.refuse(-32601, x="1")
    assert one.labels() == [label]
    assert one.session.server.proved is None


def test_a_subscription_proves_the_modern_era(talk):
    """An acknowledgment, or any notification with a subscription id, comes from a modern server alone."""
    one = talk()
    one.ask("subscriptions/listen", modern=True, notifications={})
    one.note(SERVER, "notifications/subscriptions/acknowledged", notifications={})
    assert one.labels() == [MODERN]
    assert (one.session.era.verdict, one.session.era.revision) == ("modern", "2026-07-28")
