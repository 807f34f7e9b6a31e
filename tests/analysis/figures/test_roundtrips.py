"""Round trips before the first real request, and in all."""


def test_handshake_is_one_round_trip_and_ping_another(talk):
    """initialize and ping were answered before tools/list was sent; initialized and the list itself do not count."""
    talk.handshake()
    talk.client(id=1, method="ping")
    talk.server(id=1, result={})
    talk.client(id=2, method="tools/list")
    talk.server(id=2, result={"tools": []})
    assert talk.session()["round_trips"] == {"before_first_call": 2, "total": 3}


def test_a_late_answer_does_not_count_before_the_first_request(talk):
    """The probe is answered only after the first real request: no round trip was waited for."""
    talk.client(id=1, method="server/discover")
    talk.client(id=2, method="tools/list")
    talk.server(id=1, error={"code": -32601, "message": "?"})
    talk.server(id=2, result={"tools": []})
    assert talk.session()["round_trips"] == {"before_first_call": 0, "total": 1}


def test_silence_is_no_round_trip(talk):
    """A request without an answer counts nowhere, and does not join others."""
    talk.client(id=1, method="server/discover")
    talk.client(id=2, method="initialize", params={"protocolVersion": "2025-11-25"})
    talk.server(id=2, result={"protocolVersion": "2025-11-25"})
    talk.client(id=3, method="tools/list")
    talk.server(id=3, result={"tools": []})
    assert talk.session()["round_trips"] == {"before_first_call": 1, "total": 2}


def test_null_without_a_real_request(talk):
    """Where nothing came after the handshake there is no number to give."""
    talk.handshake()
    assert talk.session()["round_trips"] == {"before_first_call": None, "total": 1}


def test_null_where_the_beginning_was_not_seen(talk):
    """A rotated part begins in mid-session: what came before is not known."""
    talk.client(id=9, method="tools/list")
    talk.server(id=9, result={"tools": []})
    session = talk.session(part=2)
    assert session["round_trips"] == {"before_first_call": None, "total": 1}
    assert session["began"] == "mid-session"


def test_overlapping_requests_are_one_round_trip(talk):
    """1 and 2 overlap, 2 and 3 overlap: one group; 4 stands alone. Server requests and listen streams are none."""
    for id_ in (1, 2):
        talk.client(id=id_, method="tools/list")
    talk.server(id=1, result={"tools": []})
    talk.client(id=3, method="tools/list")
    talk.server(id=2, result={"tools": []})
    talk.server(id=3, result={"tools": []})
    talk.client(id="l", method="subscriptions/listen")
    talk.server(id=7, method="roots/list")
    talk.client(id=7, result={"roots": []})
    talk.server(id="l", result={})
    talk.client(id=4, method="tools/list")
    talk.server(id=4, result={"tools": []})
    assert talk.session()["round_trips"]["total"] == 2


def test_an_http_error_status_answers(web):
    """A probe refused with 400 and a body without JSON-RPC counts as answered."""
    web.add(type="request", x="x1", conn="c1", method="POST", url="http://h/mcp", headers=[])
    web.say("client", '{"jsonrpc":"2.0","id":1,"method":"server/discover"}', x="x1")
    web.add(type="response", x="x1", status=400, headers=[])
    web.add(type="close", x="x1", by="server", why="complete")
    web.add(type="request", x="x2", conn="c1", method="POST", url="http://h/mcp", headers=[])
    web.say("client", '{"jsonrpc":"2.0","id":2,"method":"tools/list"}', x="x2")
    assert web.session()["round_trips"] == {"before_first_call": 1, "total": 1}
