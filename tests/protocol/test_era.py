"""Era labels: what each message shows, in which order signs decide, and the sequences that are easy to get wrong."""

import pytest

from mcpsniff.protocol.exchange import HttpExchange
from mcpsniff.protocol.marks import Framing, Label, exchange_framing
from mcpsniff.protocol.message import CLIENT, SERVER
from mcpsniff.protocol.servers import ServerFacts

MODERN, LEGACY, PROBE, SERVED, UNDECIDED = Label.MODERN, Label.LEGACY, Label.PROBE, Label.SERVED, Label.UNDECIDED
META = "io.modelcontextprotocol/"


def labels(talk):
    """Gives the labels of the client's requests, once everything was heard."""
    return [one.mark.label for one in talk.heard if one.sender == CLIENT and one.id is not None]


# what a message shows by itself


@pytest.mark.parametrize(
    ("method", "meta", "framing"),
    [
        ("tools/list", {META + "protocolVersion": "2026-07-28"}, Framing.MODERN),
        ("tools/list", {META + "protocolVersion": "2025-06-18"}, Framing.MODERN),
        ("tools/list", {META + "clientCapabilities": {}}, Framing.MODERN),
        ("tools/list", {"progressToken": 1}, Framing.BARE),
        ("tools/list", {}, Framing.BARE),
        ("server/discover", {}, Framing.BARE),
        ("subscriptions/listen", {}, Framing.BARE),
        ("initialize", {}, Framing.LEGACY),
        ("initialize", {META + "protocolVersion": "2026-07-28"}, Framing.LEGACY),
        ("ping", {}, Framing.LEGACY),
        ("logging/setLevel", {}, Framing.LEGACY),
        ("resources/subscribe", {}, Framing.LEGACY),
        ("tasks/list", {}, Framing.LEGACY),
        ("tasks/result", {}, Framing.LEGACY),
        ("ping", {META + "protocolVersion": "2026-07-28"}, Framing.MODERN),
    ],
)
def test_request_framing(talk, method, meta, framing):
    """The envelope makes a request modern, a method that only the handshake revisions have makes it legacy."""
    assert talk().ask(method, _meta=meta).mark.framing is framing


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


@pytest.mark.parametrize(
    ("headers", "method", "modern", "framing"),
    [
        ([("MCP-Protocol-Version", "2025-06-18")], "tools/list", True, Framing.MODERN),
        ([("MCP-Protocol-Version", "2026-07-28")], "tools/list", False, Framing.MODERN),
        ([("MCP-Protocol-Version", "2026-07-28")], "ping", False, Framing.MODERN),
        ([("MCP-Protocol-Version", "2026-07-28")], "initialize", False, Framing.LEGACY),
        ([("MCP-Protocol-Version", "2025-06-18")], "tools/list", False, Framing.LEGACY),
        ([], "tools/list", False, Framing.BARE),
    ],
)
def test_http_request_framing(talk, headers, method, modern, framing):
    """Over HTTP the body's envelope decides first, then the version header, then the method."""
    one = talk("http")
    one.post("1", *headers)
    assert one.ask(method, modern=modern, x="1").mark.framing is framing


def test_a_batch_of_modern_requests_is_modern(talk):
    """An array is labelled by the envelope of its elements."""
    one = talk()
    element = b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":{"%sprotocolVersion":"2026-07-28"}}}'
    assert one.session.era.mark(one.feed(CLIENT, b"[" + element % META.encode() + b"]")).framing is Framing.MODERN


# what an answer proves


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
    assert labels(one) == [label]
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
    assert labels(one) == [label]
    assert one.session.era.server_side == side


@pytest.mark.parametrize(("status", "label"), [(404, MODERN), (200, PROBE)])
def test_not_found_over_http(talk, status, label):
    """404 with a JSON-RPC -32601 is what a modern server answers to a method that it lacks."""
    one = talk("http")
    one.post("1").status = status
    one.ask("server/discover", modern=True, x="1")
    one.refuse(-32601, x="1")
    assert labels(one) == [label]
    assert one.session.server.proved is None


def test_a_subscription_proves_the_modern_era(talk):
    """An acknowledgment, or any notification with a subscription id, comes from a modern server alone."""
    one = talk()
    one.ask("subscriptions/listen", modern=True, notifications={})
    one.note(SERVER, "notifications/subscriptions/acknowledged", notifications={})
    assert labels(one) == [MODERN]
    assert (one.session.era.verdict, one.session.era.revision) == ("modern", "2026-07-28")


# the order of deciding


def test_a_bare_request_follows_the_process(talk):
    """A bare request is legacy after an accepted initialize, modern after a served modern one, else undecided."""
    early, legacy, modern = talk(), talk(), talk()
    early.ask("tools/list")
    legacy.handshake()
    legacy.ask("tools/list", 2)
    modern.ask("tools/list", 1, modern=True)
    modern.answer(1, modern=True)
    modern.ask("tools/list", 2)
    assert labels(early) == [UNDECIDED]
    assert labels(legacy) == [LEGACY, LEGACY]
    assert labels(modern) == [MODERN, MODERN]


def test_a_bare_request_before_the_handshake_is_legacy_in_the_end(talk):
    """The handshake that follows says to which era an early request belongs."""
    one = talk()
    one.ask("tools/list", 1)
    one.handshake()
    assert labels(one) == [LEGACY, LEGACY]


def test_a_bare_request_with_a_modern_answer_is_modern(talk):
    """A tolerant modern server shows by its answer what the request was taken for."""
    one = talk()
    one.ask("tools/list")
    one.answer(modern=True)
    assert labels(one) == [MODERN]


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
    assert labels(one) == [PROBE]
    one.ask("tools/list", 2, modern=True)
    one.answer(2, modern=True)
    assert labels(one) == [MODERN, MODERN]


def test_reported_progress_makes_a_refused_request_more_than_a_probe(talk):
    """A server that worked on a modern request did not refuse the era, unless it proves to be a legacy one."""
    one = talk()
    meta = {META + "protocolVersion": "2026-07-28", "progressToken": "p"}
    one.ask("tools/call", 1, name="slow", _meta=meta)
    one.note(SERVER, "notifications/progress", progressToken="p", progress=1)
    one.refuse(-32000, 1)
    assert labels(one) == [MODERN]
    one.handshake("2025-11-25")
    assert labels(one) == [PROBE, LEGACY]


# special sequences


def test_probe_then_handshake(talk):
    """discover, -32601, initialize: a failed probe, then a legacy session with its revision."""
    one = talk()
    one.ask("server/discover", 1, modern=True)
    one.refuse(-32601, 1)
    one.handshake("2025-06-18")
    assert labels(one) == [PROBE, LEGACY]
    era = one.session.era
    assert (era.verdict, era.client, era.server_side, era.revision) == ("legacy", "dual", "legacy", "2025-06-18")


def test_late_discover_result(talk):
    """A probe that was given up is modern when its answer comes at last; the initialize in between stays legacy."""
    one = talk()
    one.ask("server/discover", 1, modern=True)
    one.ask("initialize", 2, protocolVersion="2025-11-25")
    one.answer(1, modern=True, supportedVersions=["2026-07-28"])
    one.refuse(-32022, 2, supported=["2026-07-28"])
    one.ask("server/discover", 3, modern=True)
    assert labels(one) == [MODERN, LEGACY, MODERN]
    assert one.session.era.verdict == "modern"


def test_version_mismatch_is_no_change_of_era(talk):
    """-32022 and a retry with another version are modern throughout."""
    one = talk()
    one.ask("server/discover", 1, modern=True, version="2099-01-01")
    one.refuse(-32022, 1, supported=["2026-07-28"], requested="2099-01-01")
    one.ask("tools/list", 2, modern=True)
    one.answer(2, modern=True)
    assert labels(one) == [MODERN, MODERN]
    assert one.session.era.revision == "2026-07-28"


@pytest.mark.parametrize("advertise", ["error", "result"])
def test_legacy_advertisement_then_handshake(talk, advertise):
    """A server that names handshake revisions alone is none of the modern era: the probe failed."""
    one = talk()
    one.ask("server/discover", 1, modern=True)
    if advertise == "error":
        one.refuse(-32022, 1, supported=["2025-11-25"])
    else:
        one.answer(1, modern=True, supportedVersions=["2025-11-25"])
    one.handshake()
    assert labels(one) == [PROBE, LEGACY]
    assert one.session.era.shown_modern is None


@pytest.mark.parametrize("code", [-32600, -32601, -32602])
def test_modern_request_to_a_locked_process(talk, code):
    """After a handshake a modern request may be refused: legacy, then a failed probe."""
    one = talk()
    one.handshake()
    one.ask("tools/list", 2, modern=True)
    one.refuse(code, 2)
    assert labels(one) == [LEGACY, PROBE]
    assert one.session.era.verdict == "legacy"


def test_both_eras_on_one_process(talk):
    """A handshake and a served modern request: mixed, a server of both eras; the last served exchange has the word."""
    one = talk()
    one.handshake()
    one.ask("tools/list", 2, modern=True)
    one.answer(2, modern=True)
    era = one.session.era
    assert labels(one) == [LEGACY, MODERN]
    assert (era.verdict, era.server_side, era.revision) == ("mixed", "dual", "2026-07-28")


def test_rejected_initialize_after_modern_service(talk):
    """initialize to a modern server that refuses it: the session stays modern."""
    one = talk()
    one.ask("tools/list", 1, modern=True)
    one.answer(1, modern=True)
    one.ask("initialize", 2, protocolVersion="2025-11-25")
    one.refuse(-32022, 2, supported=["2026-07-28"])
    assert labels(one) == [MODERN, LEGACY]
    assert one.session.era.verdict == "modern"


def test_modern_request_served_by_a_legacy_server(talk):
    """A result without any marker, and nothing else: legacy-served, no revision is known."""
    one = talk()
    one.ask("tools/call", modern=True, name="a")
    one.answer(content=[])
    assert labels(one) == [SERVED]
    assert one.session.era.revision is None


def test_a_missing_result_type_of_a_proved_server_is_a_fault_not_an_era(talk):
    """Weak signs do not stand against a certain one."""
    one = talk()
    one.ask("tools/list", 1, modern=True)
    one.answer(1, modern=True)
    one.ask("tools/list", 2, modern=True)
    one.answer(2, tools=[])
    assert labels(one) == [MODERN, MODERN]
    assert one.session.era.server_side == "modern"


def test_bare_probe_locks_an_old_server(talk):
    """A bare discover is undecided, the modern request after it a failed probe."""
    one = talk()
    one.ask("server/discover", 1)
    one.refuse(-32601, 1)
    one.ask("tools/list", 2, modern=True)
    one.refuse(-32600, 2)
    assert labels(one) == [UNDECIDED, PROBE]


@pytest.mark.parametrize(("proved", "label"), [(False, PROBE), (True, MODERN)])
def test_modern_body_under_a_legacy_header(talk, proved, label):
    """The body is what counts; whether it was a probe the server's other answers say."""
    server = ServerFacts()
    server.modern = 1 if proved else None
    one = talk("http", server)
    one.post("1", ("MCP-Protocol-Version", "2025-06-18")).status = 400
    one.ask("tools/list", modern=True, x="1")
    one.refuse(-32600, None, x="1")
    assert labels(one) == [label]
    assert one.session.era.client == "modern"


def test_two_clients_of_one_server(talk):
    """Each client has labels of its own, the server's proof counts for all of them."""
    server = ServerFacts()
    old, new, probing = talk("http", server), talk("http", server), talk("http", server)
    probing.ask("server/discover", modern=True)
    probing.refuse(-32601)
    old.handshake()
    new.ask("tools/list", modern=True)
    new.answer(modern=True)
    assert (labels(old), labels(new), labels(probing)) == ([LEGACY], [MODERN], [MODERN])
    assert probing.session.era.shown_modern is None


def test_initialize_result_with_a_modern_marker_is_still_a_handshake(talk):
    """A protocolVersion in the result to initialize decides, whatever else the result carries."""
    one = talk()
    one.ask("initialize", 1, protocolVersion="2025-11-25")
    one.answer(1, modern=True, protocolVersion="2025-11-25")
    assert (one.session.era.verdict, one.session.era.revision) == ("legacy", "2025-11-25")


def test_revision_in_force(talk):
    """The InitializeResult names it, else the version header; a session in its middle knows no more."""
    negotiated, header, nothing = talk(), talk("http"), talk("http")
    negotiated.ask("initialize", 1, protocolVersion="2025-11-25")
    negotiated.answer(1, protocolVersion="2025-03-26")
    header.post("1", ("MCP-Protocol-Version", "2025-06-18"))
    header.ask("tools/list", x="1")
    header.answer(x="1")
    nothing.post("1")
    nothing.ask("tools/list", x="1")
    nothing.answer(x="1")
    revisions = [one.session.era.revision for one in (negotiated, header, nothing)]
    assert revisions == ["2025-03-26", "2025-06-18", None]
