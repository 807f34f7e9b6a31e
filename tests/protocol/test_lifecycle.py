"""The tables of the handshake."""

import pytest

from mcpsniff.protocol.lifecycle import NEXT, RESYNC, Event, Phase, advance
from mcpsniff.protocol.matching import match
from mcpsniff.protocol.message import CLIENT, SERVER

F, O, A, R = Phase.FRESH, Phase.OPENING, Phase.ANSWERED, Phase.READY  # noqa: E741 - as in the table


@pytest.mark.parametrize(
    ("sender", "phase", "event", "following", "allowed"),
    [
        (CLIENT, F, Event.INITIALIZE, O, True),
        (CLIENT, F, Event.REQUEST, F, False),
        (CLIENT, F, Event.PING, F, True),
        (CLIENT, F, Event.PROBE, F, True),
        (CLIENT, F, Event.INITIALIZED, R, False),
        (CLIENT, O, Event.REQUEST, O, False),
        (CLIENT, O, Event.PING, O, True),
        (CLIENT, O, Event.INITIALIZE, O, False),
        (CLIENT, O, Event.INITIALIZED, R, False),
        (CLIENT, A, Event.INITIALIZED, R, True),
        (CLIENT, A, Event.REQUEST, A, True),
        (CLIENT, R, Event.REQUEST, R, True),
        (CLIENT, R, Event.INITIALIZE, O, False),
        (SERVER, O, Event.ACCEPTED, A, True),
        (SERVER, O, Event.REFUSED, F, True),
        (SERVER, O, Event.REQUEST, O, False),
        (SERVER, A, Event.REQUEST, A, False),
        (SERVER, A, Event.PING, A, True),
        (SERVER, A, Event.NOTIFICATION, A, True),
        (SERVER, R, Event.REQUEST, R, True),
        (SERVER, F, Event.ACCEPTED, A, False),
    ],
)
def test_handshake(sender, phase, event, following, allowed):
    """Where each event leads, and whether it was allowed; after a breach the analyzer goes on."""
    assert advance("legacy", sender, phase, event) == (following, allowed)


def test_the_modern_era_has_no_phases():
    """No event of the modern era moves a phase."""
    for by_phase in NEXT["modern"].values():
        for phase, events in by_phase.items():
            assert set(events.values()) == {phase}


def test_tables_are_complete():
    """Both eras know both senders in every phase, and a breach leads to a phase, too."""
    for era in NEXT.values():
        assert set(era) == {CLIENT, SERVER}
        assert all(set(by_phase) == set(Phase) for by_phase in era.values())
    assert set(RESYNC.values()) <= set(Phase)


@pytest.mark.parametrize(
    ("method", "modern", "breach"),
    [
        ("tools/list", False, Event.REQUEST),
        ("tools/list", True, None),
        ("server/discover", False, None),
        ("ping", False, None),
        ("notifications/cancelled", False, None),  # with an id: a fault of another kind
        ("notifications/initialized", False, Event.INITIALIZED),
    ],
)
def test_breach_before_initialize(talk, method, modern, breach):
    """A session tells what the handshake forbids at this point."""
    one = talk()
    request = one.ask(method, modern=modern)
    fresh = talk().session
    assert fresh.breach(request, match(fresh, request)) is breach
