"""Records of HTTP exchanges become messages of sessions: what is MCP, what waits, what is a replay, who is blamed."""

import pytest

LIST = {"jsonrpc": "2.0", "id": 7, "method": "tools/list"}
TOOLS = {"jsonrpc": "2.0", "id": 7, "result": {"tools": []}}


def note(number):
    return {"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": "info", "data": number}}


def test_oauth_traffic_is_no_mcp(client, played):
    """Metadata with the version header, registration and tokens make no session, though they are JSON."""
    one = client("c1")
    meta = one.ask("GET", "/.well-known/oauth-protected-resource", MCP_Protocol_Version="2025-06-18")
    one.tell(meta, 200, {"resource": "http://127.0.0.1:8000/mcp"})
    one.tell(one.ask("POST", "http://auth.example/register", {"client_name": "app"}), 201, {"client_id": "1"})
    one.tell(one.ask("POST", "http://auth.example/token", "grant_type=code"), 200, {"access_token": "x"})
    assert played().sessions == {}


def test_foreign_json_rpc_is_no_mcp(client, played):
    """JSON-RPC alone is no proof: agents and ledgers speak it, too."""
    one = client("c1")
    body = {"jsonrpc": "2.0", "id": 1, "method": "eth_blockNumber"}
    one.tell(one.ask("POST", "/rpc", body), 200, {"jsonrpc": "2.0", "id": 1, "result": "0x1"})
    assert played().sessions == {}


def test_the_response_may_tell_what_the_request_was(client, played):
    """A broken body and a made-up method are judged once the answer carries a session id."""
    one = client("c1")
    broken = one.tell(one.ask("POST", "/mcp", '{"jsonrpc"'), 400, Mcp_Session_Id="AAA")
    engine = played()
    assert engine.of == {broken: "s1"}
    assert engine.sessions["s1"].unreadable == {"client": 1}


def test_a_made_up_method_waits_for_the_response(client, played):
    """The request counts as this session's, before its answer does."""
    one = client("c1")
    odd = one.ask("POST", "/mcp", {"jsonrpc": "2.0", "id": 1, "method": "x/y"})
    one.tell(odd, 200, {"jsonrpc": "2.0", "id": 1, "result": {}}, Mcp_Session_Id="AAA")
    engine = played()
    assert list(engine.of) == [2, 4, odd]
    assert engine.sessions["s1"].calls.used("client", _id(1)) == 2


@pytest.mark.parametrize(
    ("resumed", "data", "delivered"),
    [
        ({"Last_Event_ID": "e1"}, 2, [1, 2]),
        ({"Last_Event_ID": "e1"}, 3, [1, 2, 3]),
        ({}, 2, [1, 2, 2]),
    ],
    ids=["the same again", "the same id with other data", "no resumption"],
)
def test_replays_are_no_messages(client, web, played, resumed, data, delivered):
    """On a resumed stream an event with a known id and the same data was seen before (trap T7)."""
    one = client("c1")
    one.initialize(id_="AAA")
    first = one.stream(one.ask("GET", "/mcp", Accept="text/event-stream", Mcp_Session_Id="AAA"))
    seqs = [one.event(first, note(1), id="e1"), one.event(first, note(2), id="e2")]
    one.end(first)
    again = one.stream(one.ask("GET", "/mcp", Accept="text/event-stream", Mcp_Session_Id="AAA", **resumed))
    seqs.append(one.event(again, note(data), id="e2"))
    of = played().of
    assert [seq in of for seq in seqs] == [True, True, len(delivered) == 3]


def test_the_answer_on_a_resumed_stream_is_the_request_s(client, web, played):
    """A POST stream breaks off; the result comes on the GET that resumes it, and the request is answered."""
    one = client("c1")
    one.initialize(id_="AAA")
    post = one.stream(one.ask("POST", "/mcp", LIST, Mcp_Session_Id="AAA"))
    one.end(post)
    again = one.stream(one.ask("GET", "/mcp", Accept="text/event-stream", Mcp_Session_Id="AAA", Last_Event_ID="e1"))
    answer = one.event(again, TOOLS, id="e2")
    one.end(again)
    session = played().sessions["s1"]
    assert session.calls.answered("client", _id(7)).answer_seq == answer
    assert session.calls.all_open() == []


def test_http_sse_answers_come_on_the_stream(client, played):
    """A second initialize does not wait for the status of its POST, which may follow the answer."""
    one = client("c1")
    stream = one.stream(one.ask("GET", "/sse", Accept="text/event-stream"))
    one.endpoint(stream, "/messages?s=1")
    hello = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2024-11-05"}}
    result = {"jsonrpc": "2.0", "id": 1, "result": {"protocolVersion": "2024-11-05", "capabilities": {}}}
    for number in (1, 2):
        post = one.ask("POST", "/messages?s=1", {**hello, "id": number})
        one.event(stream, {**result, "id": number})
        one.tell(post, 202, "Accepted")
    engine = played()
    assert list(engine.sessions) == ["s1"]
    assert engine.sessions["s1"].calls.all_open() == []


def test_ids_of_both_sides_do_not_meet_in_an_exchange(client, played):
    """The server's request 7 on the stream of the client's request 7 takes nothing from it."""
    one = client("c1")
    one.initialize(id_="AAA")
    post = one.stream(one.ask("POST", "/mcp", LIST, Mcp_Session_Id="AAA"))
    one.event(post, {"jsonrpc": "2.0", "id": 7, "method": "ping"})
    answer = one.event(post, TOOLS)
    one.end(post)
    calls = played().sessions["s1"].calls
    assert calls.answered("client", _id(7)).answer_seq == answer
    assert [call.method for call in calls.all_open()] == ["ping"]


def test_a_body_that_cannot_be_decoded_is_unknown(client, web, played):
    """What an undecodable body said is not known: absence proves nothing, and it is no noise."""
    one = client("c1")
    one.initialize(id_="AAA")
    x = one.ask("POST", "/mcp", LIST, Mcp_Session_Id="AAA")
    web.add(type="response", x=x, status=200, headers=[["Content-Type", "application/json"]])
    web.add(type="text", **{"from": "server"}, x=x, size=3, encoding="zstd", b64="KLUv")
    web.add(type="close", x=x, by="server")
    assert played().sessions["s1"].unreadable == {"server": 1}


def test_exchanges_that_never_end_are_let_go(client, played):
    """Beyond the cap the oldest open exchange counts as over, and the drop is counted."""
    one = client("c1")
    exchanges = [one.ask("GET", "/mcp", MCP_Protocol_Version="2025-06-18") for _ in range(10_001)]
    engine = played()
    assert engine.result.drops["open exchanges"] == 1
    assert set(engine.of) == set(exchanges)


@pytest.mark.parametrize("url", ["http://[bad/mcp", "", "//", "http://h:99999/?a=%ff"])
def test_urls_that_are_none(client, played, url):
    """A request line may hold anything, and so may an announced URL."""
    one = client("c1")
    one.ping(url or "http://")
    stream = one.stream(one.ask("GET", "/sse", Accept="text/event-stream"))
    one.endpoint(stream, url or "[")
    assert list(played().sessions) == ["s1", "s2"]


@pytest.mark.parametrize("why", ["upstream", "idle-timeout", "shutdown", "tls"])
def test_what_the_proxy_broke_off_blames_nobody(client, web, report, why):
    """A request that the proxy could not deliver, and a stream that it cut, are no side's fault."""
    one = client("c1")
    both = "application/json, text/event-stream"
    sends = {"Accept": both, "Content_Type": "application/json"}
    one.initialize(id_="AAA", **sends)
    said = {"Mcp_Session_Id": "AAA", "MCP_Protocol_Version": "2025-06-18", **sends}
    one.tell(one.ask("POST", "/mcp", {"jsonrpc": "2.0", "method": "notifications/initialized"}, **said), 202)
    ping = {"jsonrpc": "2.0", "method": "ping"}
    lost = one.ask("POST", "/mcp", {**ping, "id": 2}, **said)
    web.add(type="close", x=lost, by="proxy", why=why, error="connection failed")
    cut = one.stream(one.ask("POST", "/mcp", {**ping, "id": 3}, **said))
    web.add(type="close", x=cut, by="proxy", why=why)
    left = one.stream(one.ask("POST", "/mcp", {**ping, "id": 4}, **said))
    one.ping(id_=5, **said)
    for record in web.records[-5:]:
        record["t"] = 100.0  # long after all of it
    web.add(type="close", x=left, by="open", why="shutdown", t=100.0)
    (session,) = report(web.file(), rules=True).sessions
    assert [(finding["rule"], finding["severity"]) for finding in session["findings"]] == []


def _id(number):
    from mcpsniff.protocol.ids import JsonId

    return JsonId(str(number))
