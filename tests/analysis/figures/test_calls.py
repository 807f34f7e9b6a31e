"""What tools/call came to, in outcomes and bytes."""

CALL = '{"jsonrpc":"2.0","id":%s,"method":"tools/call","params":{"name":"echo","arguments":{}}}'
DONE = '{"jsonrpc":"2.0","id":%s,"result":{"content":[],"isError":%s}}'


def outcomes(calls):
    """The outcomes that are not zero."""
    names = ("results", "errors", "tool_errors", "input_required", "cancelled", "unanswered")
    return {name: calls[name] for name in names if calls[name]}


def test_outcomes_are_disjoint_and_add_up(talk):
    """One call of each fate: a result, a tool error, an error, a cancelled one that is answered after all, silence."""
    talk.handshake()
    for id_ in range(1, 6):
        talk.say("client", CALL % id_)
    talk.say("server", DONE % (1, "false"))
    talk.say("server", DONE % (2, "true"))
    talk.server(id=3, error={"code": -32602, "message": "unknown"})
    talk.client(method="notifications/cancelled", params={"requestId": 4})
    talk.say("server", DONE % (4, "false"))
    calls = talk.session()["calls"]
    assert outcomes(calls) == {"results": 1, "errors": 1, "tool_errors": 1, "cancelled": 1, "unanswered": 1}
    assert (calls["count"], calls["logical"]) == (5, 5)


def test_bytes_per_call(talk):
    """Marginal: request and answer of answered calls; fixed: initialize, its answer, initialized."""
    talk.handshake()
    fixed = sum(record["size"] for record in talk.records)
    pair = len(CALL % 1) + 1 + len(DONE % (1, "false")) + 1
    for id_ in (1, 2, 3):
        talk.say("client", CALL % id_)
        talk.client(method="notifications/progress", params={})
        talk.say("server", DONE % (id_, "false"))
    talk.say("client", CALL % 4)
    cost = talk.session()["calls"]["bytes_per_call"]
    assert cost == {"marginal": pair, "fixed": fixed, "amortised": round((fixed + 3 * pair) / 3, 2)}


def test_without_calls_nothing_is_known_of_their_cost(talk):
    """No call: no marginal bytes, no latency; the fixed bytes are known."""
    talk.handshake()
    calls = talk.session()["calls"]
    assert (calls["bytes_per_call"]["marginal"], calls["bytes_per_call"]["amortised"]) == (None, None)
    assert calls["latency_ms"] == {"p50": None, "p90": None, "p99": None, "max": None}


def test_a_retry_after_input_required_is_the_same_logical_call(talk, meta):
    """Two requests, one logical call; the human's wait between them is in no latency."""
    params = {"name": "confirm", "arguments": {}, "_meta": meta}
    talk.client(id=1, method="tools/call", params=params)
    asked = {"resultType": "input_required", "requestState": "s", "inputRequests": {"ok": {}}}
    talk.server(id=1, result=asked)
    talk.records[-1]["t"] = 0.2
    talk.client(id=2, method="tools/call", params={**params, "requestState": "s", "inputResponses": {"ok": {}}})
    talk.records[-1]["t"] = 60.0
    talk.server(id=2, result={"resultType": "complete", "content": []})
    talk.records[-1]["t"] = 60.3
    calls = talk.session()["calls"]
    assert outcomes(calls) == {"results": 1, "input_required": 1}
    assert (calls["count"], calls["logical"]) == (2, 1)
    assert calls["latency_ms"]["max"] == 300.0


def test_closing_a_modern_exchange_cancels_its_call(web, meta):
    """Over HTTP the modern client cancels by closing the stream, with no message at all."""
    head = [["mcp-protocol-version", "2026-07-28"]]
    web.add(type="request", x="x1", conn="c1", method="POST", url="http://h/mcp", headers=head)
    web.client(id=1, method="tools/call", params={"name": "slow", "_meta": meta})
    web.records[-1]["x"] = "x1"
    web.records[-1]["message"] = web.records[-1].pop("message")  # the payload stays last
    web.add(type="response", x="x1", status=200, headers=[["content-type", "text/event-stream"]])
    web.add(type="close", x="x1", by="client", why="closed")
    assert outcomes(web.session()["calls"]) == {"cancelled": 1}


def test_an_http_error_status_is_an_error(web):
    """A call refused with 401 and no JSON-RPC body is not unanswered."""
    web.add(type="request", x="x1", conn="c1", method="POST", url="http://h/mcp", headers=[])
    web.say("client", CALL % 1, x="x1")
    web.add(type="response", x="x1", status=401, headers=[])
    web.add(type="close", x="x1", by="server", why="complete")
    session = web.session()
    assert outcomes(session["calls"]) == {"errors": 1}
    assert session["methods"][0]["errors"] == 1
