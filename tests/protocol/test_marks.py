"""Era marks: what an HTTP head shows, and in which order signs decide a label."""

import pytest

from mcpsniff.protocol.exchange import HttpExchange
from mcpsniff.protocol.marks import Framing, Label, exchange_framing
from mcpsniff.protocol.message import SERVER

MODERN, LEGACY, PROBE, UNDECIDED = Label.MODERN, Label.LEGACY, Label.PROBE, Label.UNDECIDED
META = "io.modelcontextprotocol/"


@pytest.mark.parametrize(
    ("headers", "framing"),
    [
        ([("MCP-Protocol-Version", "2026-07-28")], Framing.MODERN),
        ([("MCP-Protocol-Version", "2027-01-01")], Framing.MODERN),
        ([("MCP-Protocol-Version", "2026-07-28"), ("Mcp-Session-Id", "s")], Framing.MODERN),
        ([("mcp-protocol-version", "2025-06-18")], Framing.LEGACY),
        ([("Mcp-Session-Id", "s")], Framing.LEGACY),
        ([("Mcp-Session-Id", "s"), ("Mcp-Method", "tools/list")], Framing.LEGACY),
        ([("Last-Event-ID", "7")], Framing.LEGACY),
        ([("Mcp-Method", "tools/list")], Framing.MODERN),
        ([("Mcp-Name", "echo")], Framing.MODERN),
        ([("Accept", "application/json, text/event-stream")], Framing.BARE),
    ],
)
def test_head_framing(headers, framing):
    """A version header decides before a session id, and that before the mirrored headers."""
    assert exchange_framing(HttpExchange("1", 1, 0.0, "POST", "http://h/mcp", headers)) is framing


def test_a_get_for_events_is_legacy():
    """Only the handshake revisions open a stream by GET."""
    head = HttpExchange("1", 1, 0.0, "GET", "http://h/mcp", [("Accept", "text/event-stream")])
    assert exchange_framing(head) is Framing.LEGACY


def test_a_bare_request_follows_the_process(talk):
    """A bare request is legacy after an accepted initialize, modern after a served modern one, else undecided."""
    early, legacy, modern = talk(), talk(), talk()
    early.ask("tools/list")
    legacy.handshake()
    legacy.ask("tools/list", 2)
    modern.ask("tools/list", 1, modern=True)
    modern.answer(1, modern=True)
    modern.ask("tools/list", 2)
    assert early.labels() == [UNDECIDED]
    assert legacy.labels() == [LEGACY, LEGACY]
    assert modern.labels() == [MODERN, MODERN]


def test_a_bare_request_before_the_handshake_is_legacy_in_the_end(talk):
    """The handshake that follows says to which era an early request belongs."""
    one = talk()
    one.ask("tools/list", 1)
    one.handshake()
    assert one.labels() == [LEGACY, LEGACY]


def test_a_bare_request_with_a_modern_answer_is_modern(talk):
    """A tolerant modern server shows by its answer what the request was taken for."""
    one = talk()
    one.ask("tools/list")
    one.answer(modern=True)
    assert one.labels() == [MODERN]


def test_notifications_take_the_label_of_the_whole(talk):
    """What opens no exchange is labelled at the end: legacy after a handshake, modern after modern service."""
    legacy, modern, unknown = talk(), talk(), talk()
    early = [one.note(SERVER, "notifications/message", level="info", data=1) for one in (legacy, modern, unknown)]
    legacy.handshake()
    modern.ask("tools/list", modern=True)
    modern.answer(modern=True)
    assert [one.mark.label for one in early] == [LEGACY, MODERN, UNDECIDED]


def test_settled_marks_keep_their_label(talk):
    """A label that is called settled stays; a notification from before the first request waits for a handshake."""
    one = talk()
    one.note(SERVER, "notifications/message", level="info", data=1)
    one.ask("tools/list", 1, modern=True)
    one.answer(1, modern=True)
    one.note(SERVER, "notifications/message", level="info", data=2)
    assert [message.mark.label for message in one.heard] == [MODERN] * 4
    assert [message.mark.settled for message in one.heard] == [False, True, True, True]
    one.handshake()
    assert [message.mark.label for message in one.heard[:4]] == [LEGACY, MODERN, MODERN, MODERN]


def test_later_proof_upgrades_a_failed_probe(talk):
    """A probe that got an unknown error is modern once the same server proves to be."""
    one = talk()
    one.ask("server/discover", 1, modern=True)
    one.refuse(-32601, 1)
    assert one.labels() == [PROBE]
    one.ask("tools/list", 2, modern=True)
    one.answer(2, modern=True)
    assert one.labels() == [MODERN, MODERN]


def test_reported_progress_makes_a_refused_request_more_than_a_probe(talk):
    """A server that worked on a modern request did not refuse the era, unless it proves to be a legacy one."""
    one = talk()
    meta = {META + "protocolVersion": "2026-07-28", "progressToken": "p"}
    one.ask("tools/call", 1, name="slow", _meta=meta)
    one.note(SERVER, "notifications/progress", progressToken="p", progress=1)
    one.refuse(-32000, 1)
    assert one.labels() == [MODERN]
    one.handshake("2025-11-25")
    assert one.labels() == [PROBE, LEGACY]
