"""Era labels: what each message shows by itself, and the sequences that are easy to get wrong."""

import pytest

from mcpsniff.protocol.marks import Framing, Label
from mcpsniff.protocol.message import CLIENT
from mcpsniff.protocol.servers import ServerFacts

MODERN, LEGACY, PROBE, SERVED, UNDECIDED = Label.MODERN, Label.LEGACY, Label.PROBE, Label.SERVED, Label.UNDECIDED
META = "io.modelcontextprotocol/"


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


# special sequences


def test_probe_then_handshake(talk):
    """discover, -32601, initialize: a failed probe, then a legacy session with its revision."""
    one = talk()
    one.ask("server/discover", 1, modern=True)
    one.refuse(-32601, 1)
    one.handshake("2025-06-18")
    assert one.labels() == [PROBE, LEGACY]
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
    assert one.labels() == [MODERN, LEGACY, MODERN]
    assert one.session.era.verdict == "modern"


def test_version_mismatch_is_no_change_of_era(talk):
    """-32022 and a retry with another version are modern throughout."""
    one = talk()
    one.ask("server/discover", 1, modern=True, version="2099-01-01")
    one.refuse(-32022, 1, supported=["2026-07-28"], requested="2099-01-01")
    one.ask("tools/list", 2, modern=True)
    one.answer(2, modern=True)
    assert one.labels() == [MODERN, MODERN]
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
    assert one.labels() == [PROBE, LEGACY]
    assert one.session.era.shown_modern is None


@pytest.mark.parametrize("code", [-32600, -32601, -32602])
def test_modern_request_to_a_locked_process(talk, code):
    """After a handshake a modern request may be refused: legacy, then a failed probe."""
    one = talk()
    one.handshake()
    one.ask("tools/list", 2, modern=True)
    one.refuse(code, 2)
    assert one.labels() == [LEGACY, PROBE]
    assert one.session.era.verdict == "legacy"


def test_both_eras_on_one_process(talk):
    """A handshake and a served modern request: mixed, a server of both eras; the last served exchange has the word."""
    one = talk()
    one.handshake()
    one.ask("tools/list", 2, modern=True)
    one.answer(2, modern=True)
    era = one.session.era
    assert one.labels() == [LEGACY, MODERN]
    assert (era.verdict, era.server_side, era.revision) == ("mixed", "dual", "2026-07-28")


def test_rejected_initialize_after_modern_service(talk):
    """initialize to a modern server that refuses it: the session stays modern."""
    one = talk()
    one.ask("tools/list", 1, modern=True)
    one.answer(1, modern=True)
    one.ask("initialize", 2, protocolVersion="2025-11-25")
    one.refuse(-32022, 2, supported=["2026-07-28"])
    assert one.labels() == [MODERN, LEGACY]
    assert one.session.era.verdict == "modern"


def test_modern_request_served_by_a_legacy_server(talk):
    """A result without any marker, and nothing else: legacy-served, no revision is known."""
    one = talk()
    one.ask("tools/call", modern=True, name="a")
    one.answer(content=[])
    assert one.labels() == [SERVED]
    assert one.session.era.revision is None


def test_a_missing_result_type_of_a_proved_server_is_a_fault_not_an_era(talk):
    """Weak signs do not stand against a certain one."""
    one = talk()
    one.ask("tools/list", 1, modern=True)
    one.answer(1, modern=True)
    one.ask("tools/list", 2, modern=True)
    one.answer(2, tools=[])
    assert one.labels() == [MODERN, MODERN]
    assert one.session.era.server_side == "modern"


def test_bare_probe_locks_an_old_server(talk):
    """A bare discover is undecided, the modern request after it a failed probe."""
    one = talk()
    one.ask("server/discover", 1)
    one.refuse(-32601, 1)
    one.ask("tools/list", 2, modern=True)
    one.refuse(-32600, 2)
    assert one.labels() == [UNDECIDED, PROBE]


@pytest.mark.parametrize(("proved", "label"), [(False, PROBE), (True, MODERN)])
def test_modern_body_under_a_legacy_header(talk, proved, label):
    """The body is what counts; whether it was a probe the server's other answers say."""
    server = ServerFacts()
    server.modern = 1 if proved else None
    one = talk("http", server)
    one.post("1", ("MCP-Protocol-Version", "2025-06-18")).status = 400
    one.ask("tools/list", modern=True, x="1")
    one.refuse(-32600, None, x="1")
    assert one.labels() == [label]
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
    assert (old.labels(), new.labels(), probing.labels()) == ([LEGACY], [MODERN], [MODERN])
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
