"""A session at any point: what it has learned, and whether that is all."""

from mcpsniff.protocol.lifecycle import Phase
from mcpsniff.protocol.message import CLIENT
from mcpsniff.protocol.servers import ServerFacts
from mcpsniff.protocol.session import Session


def test_handshake_is_remembered(talk):
    """Capabilities, versions and the records of the handshake can be asked for."""
    one = talk()
    one.ask("initialize", 0, protocolVersion="2025-06-18", capabilities={"roots": {}})
    one.answer(0, protocolVersion="2025-03-26", capabilities={"tools": {}})
    one.note(CLIENT, "notifications/initialized")
    session = one.session
    assert session.client_capabilities == {"roots": {}}
    assert session.server_capabilities == {"tools": {}}
    assert (session.initialize.seq, session.initialize_result.seq, session.initialized_seq) == (1, 2, 3)
    assert (session.phase, session.era.requested, session.era.negotiated) == (Phase.READY, "2025-06-18", "2025-03-26")


def test_whole(talk):
    """A gap, a beginning that was missed or a full store: absence proves nothing any more."""
    complete, gap, middle = talk().session, talk().session, Session("s", "stdio", ServerFacts(), from_start=False)
    gap.holes = 1
    assert (complete.whole, gap.whole, middle.whole) == (True, False, False)
