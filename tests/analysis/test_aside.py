"""Exchanges beside MCP reach the session that they belong to, and no other."""

PRM = "/.well-known/oauth-protected-resource/mcp"
AS = "https://as.example"
HELLO = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-11-25"}}
CHALLENGE = 'Bearer resource_metadata="http://127.0.0.1:8000/meta"'


def refused(one, path="/mcp", challenge=CHALLENGE):
    """Writes an initialize that is refused for want of a token."""
    return one.tell(one.ask("POST", path, HELLO), 401, None, WWW_Authenticate=challenge)


def steps(session):
    """Gives the kinds and records of a session's steps."""
    return [(step.kind.name, step.exchange.x) for step in session.authorization.steps]


def test_metadata_and_tokens_go_to_the_session_that_was_refused(client, played):
    """The documents, and the endpoints that they name, are the refused client's; its mark is that of its request."""
    one = client("c1")
    refused(one)
    meta = one.tell(one.ask("GET", "/meta"), 200, {"resource": "r", "authorization_servers": [AS]})
    doc = {"issuer": AS, "token_endpoint": f"{AS}/t"}
    found = one.tell(one.ask("GET", f"{AS}/.well-known/oauth-authorization-server"), 200, doc)
    token = one.tell(one.ask("POST", f"{AS}/t", "x=1"), 200, {"access_token": "T1"})
    session = played().sessions["s1"]
    assert steps(session) == [("RESOURCE", meta), ("SERVER", found), ("TOKEN", token)]
    room = session.authorization
    assert (room.resource, room.issuers) == ("r", [AS])
    assert room.tokens.issued["T1"].exchange.x == token
    assert {step.mark.revision for step in room.steps} == {"2025-11-25"}


def test_two_servers_of_one_client_keep_their_steps_apart(client, played):
    """Metadata belong to the session at their origin, tokens to the one whose metadata name the server."""
    one = client("c1")
    refused(one)
    refused(one, "https://two.example/mcp", "Bearer")
    first = one.tell(one.ask("GET", PRM), 200, {"authorization_servers": [AS]})
    second = one.tell(
        one.ask("GET", "https://two.example" + PRM), 200, {"authorization_servers": ["https://b.example"]}
    )
    to_a = one.tell(one.ask("GET", f"{AS}/authorize?client_id=x"), 302)
    to_b = one.tell(one.ask("GET", "https://b.example/authorize?client_id=x"), 302)
    sessions = played().sessions
    assert steps(sessions["s1"]) == [("RESOURCE", first), ("AUTHORIZE", to_a)]
    assert steps(sessions["s2"]) == [("RESOURCE", second), ("AUTHORIZE", to_b)]


def test_a_browser_belongs_to_the_client_of_its_address_that_was_refused(client, played):
    """Another program at the same address opens the authorization page; one elsewhere is nobody's."""
    client("c0", "10.0.0.1", "other/1").initialize()
    refused(client("c1", "10.0.0.1", "heron/1"))
    browser, stranger = client("c2", "10.0.0.1", "Mozilla/5.0"), client("c3", "10.0.0.9", "Mozilla/5.0")
    page = browser.tell(browser.ask("GET", f"{AS}/authorize?client_id=x"), 302)
    stranger.tell(stranger.ask("GET", f"{AS}/authorize?client_id=x"), 302)
    sessions = played().sessions
    assert (steps(sessions["s1"]), steps(sessions["s2"])) == ([], [("AUTHORIZE", page)])


def test_steps_before_the_session_wait_for_it(client, played):
    """A client that looks for metadata first is given them once it has a session."""
    one = client("c1")
    early = one.tell(one.ask("GET", PRM), 200, {"authorization_servers": [AS]})
    one.initialize()
    assert steps(played().sessions["s1"]) == [("RESOURCE", early)]


def test_a_document_with_mcp_headers_is_no_session(client, played):
    """Clients send the version to the URL that the challenge names: that is no MCP endpoint."""
    one = client("c1")
    refused(one)
    one.tell(one.ask("GET", "/meta", MCP_Protocol_Version="2025-11-25"), 404)
    assert list(played().sessions) == ["s1"]


def test_a_token_sent_on_by_another_program_is_the_server_s(client, played):
    """What the server sends to a third party with the client's token is shown to the session that brought it."""
    one, upstream = client("c1"), client("c2", "10.0.0.2", "server/1")
    one.initialize(Authorization="Bearer T1")
    one.tell(one.ask("GET", "https://api.example/", Authorization="Bearer T1"), 200)
    sent = upstream.tell(upstream.ask("GET", "https://api.example/", Authorization="Bearer T1"), 200)
    upstream.tell(upstream.ask("GET", "https://api.example/", Authorization="Bearer T2"), 200)
    assert steps(played().sessions["s1"]) == [("OTHER", sent)]
