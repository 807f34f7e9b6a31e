"""Sessions told apart: the assignment of each exchange was worked out by hand from REPORT.md, "HTTP scope"."""

import pytest

from mcpsniff.analysis.scope import HttpScope
from mcpsniff.protocol.bounded import Drops
from mcpsniff.protocol.exchange import HttpExchange
from mcpsniff.protocol.session import Session


def test_session_id_names_a_session_on_any_connection(client, played):
    """A request with a known id belongs to its session, whosever connection it comes on."""
    one, two = client("c1"), client("c2", "10.0.0.2", "crane/2")
    opened = one.initialize(id_="AAA")
    other = two.initialize(id_="BBB")
    crossed = two.ping(Mcp_Session_Id="AAA")
    of = played().of
    assert (of[opened], of[other], of[crossed]) == ("s1", "s2", "s1")


def test_second_initialize_opens_a_session_where_its_answer_names_another(client, played):
    """One client initializes twice: the second session begins with the second request."""
    one = client("c1")
    first, later = one.initialize(id_="AAA"), one.ping(Mcp_Session_Id="AAA")
    second, last = one.initialize(id_="BBB"), one.ping(Mcp_Session_Id="BBB")
    engine = played()
    assert [engine.of[x] for x in (first, later, second, last)] == ["s1", "s1", "s2", "s2"]
    assert engine.sessions["s2"].session_id == "BBB"
    assert all(session.from_start for session in engine.sessions.values())


def test_second_initialize_without_an_id_stays(client, played):
    """A server without sessions: one client at one endpoint is one session, however often it initializes."""
    one = client("c1")
    exchanges = [one.initialize(), one.ping(), one.initialize(), one.ping()]
    assert {played().of[x] for x in exchanges} == {"s1"}


def test_two_clients_that_initialize_at_the_same_time(client, web, played):
    """Both requests are under way before either is answered; the ids of the answers part them."""
    one, two = client("c1"), client("c2")
    hello = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-06-18"}}
    result = {"jsonrpc": "2.0", "id": 1, "result": {"protocolVersion": "2025-06-18", "capabilities": {}}}
    first, second = one.ask("POST", "/mcp", hello), two.ask("POST", "/mcp", hello)
    two.tell(second, 200, result, Mcp_Session_Id="BBB")
    one.tell(first, 200, result, Mcp_Session_Id="AAA")
    later = [one.ping(Mcp_Session_Id="AAA"), two.ping(Mcp_Session_Id="BBB")]
    engine = played()
    assert [engine.of[x] for x in (first, second, *later)] == ["s1", "s2", "s1", "s2"]


def test_a_client_keeps_its_session_on_a_new_connection(client, played):
    """The same address, User-Agent and authorisation are the same client; the port of the address does not count."""
    first = client("c1", "10.0.0.1:50001").initialize()
    later = client("c2", "10.0.0.1:50002").ping()
    assert played().of[first] == played().of[later] == "s1"


@pytest.mark.parametrize(
    ("address", "agent", "headers"),
    [
        ("10.0.0.2", "heron/1", {}),
        ("10.0.0.1", "crane/2", {}),
        ("10.0.0.1", "heron/1", {"Authorization": "Bearer two"}),
    ],
)
def test_another_address_agent_or_authorisation_is_another_client(client, played, address, agent, headers):
    """On a connection of its own, each of the three makes another client."""
    first = client("c1").initialize()
    other = client("c2", address, agent).initialize(**headers)
    of = played().of
    assert (of[first], of[other]) == ("s1", "s2")


def test_client_info_tells_programs_on_one_machine_apart(client, played):
    """Two programs over one HTTP library say who they are; what says nothing goes to the latest."""
    first = client("c1").initialize(name="editor")
    second = client("c2").initialize(name="terminal")
    again = client("c3").initialize(name="editor")
    of = played().of
    assert [of[x] for x in (first, second, again)] == ["s1", "s2", "s1"]


def test_client_info_tells_programs_on_one_connection_apart(client, played):
    """Clients that share a pool of connections say who they are; what says nothing goes to the connection's latest."""
    pool = client("c1"), client("c2")
    names = ("editor", "terminal", "editor", "terminal")
    exchanges = [pool[number % 2].initialize(name=name) for number, name in zip((0, 0, 1, 1), names, strict=True)]
    silent = pool[1].ping()
    of = played().of
    assert [of[x] for x in (*exchanges, silent)] == ["s1", "s2", "s1", "s2", "s2"]


def test_endpoints_are_sessions_of_their_own(client, played):
    """One client at two paths has two sessions; a slash at the end and the query make no path."""
    one = client("c1")
    exchanges = [one.initialize("/a"), one.initialize("/b"), one.ping("/a/?tenant=7"), one.ping("/b")]
    of = played().of
    assert [of[x] for x in exchanges] == ["s1", "s2", "s1", "s2"]


def test_an_exchange_before_the_id_belongs_to_the_session_it_names(client, played):
    """A probe, the initialize and what lacks the id later are the client's open session."""
    one = client("c1")
    probe = one.ask("POST", "/mcp", {"jsonrpc": "2.0", "id": 0, "method": "server/discover"})
    one.tell(probe, 400)
    exchanges = [probe, one.initialize(id_="AAA"), one.ping()]
    assert {played().of[x] for x in exchanges} == {"s1"}


def test_authorising_after_a_401_goes_on_with_the_session(client, played):
    """The refused request and the one with a token, on another connection, are one session."""
    one, two = client("c1"), client("c2")
    refused = one.tell(one.ask("POST", "/mcp", {"jsonrpc": "2.0", "id": 1, "method": "initialize"}), 401)
    opened = two.initialize(Authorization="Bearer one")
    of = played().of
    assert of[refused] == of[opened] == "s1"


def test_an_id_from_before_the_capture_is_a_session_of_its_own(client, played):
    """Two sessions that began out of sight on one machine are not one, and neither is whole."""
    first = client("c1").ping(Mcp_Session_Id="AAA")
    second = client("c2").ping(Mcp_Session_Id="BBB")
    engine = played()
    assert (engine.of[first], engine.of[second]) == ("s1", "s2")
    assert not any(session.from_start for session in engine.sessions.values())


def test_an_altered_id_on_one_connection_stays_with_its_client(client, played):
    """The server gave AAA in sight; aaa on the same connection is this client's mistake, not another session."""
    one = client("c1")
    opened, wrong = one.initialize(id_="AAA"), one.ping(Mcp_Session_Id="aaa")
    of = played().of
    assert of[opened] == of[wrong] == "s1"


@pytest.mark.parametrize("part", [1, 2])
def test_a_modern_session_is_whole_unless_the_capture_goes_on(client, web, played, part):
    """In a later part of a rotated capture, a client without ids may have begun before."""
    x = client("c1").ask("POST", "/mcp", {"jsonrpc": "2.0", "id": 1, "method": "tools/list"})
    engine = played(part=part)
    assert engine.sessions[engine.of[x]].from_start is (part == 1)


def test_two_event_streams_are_two_sessions(client, played):
    """HTTP+SSE on one machine: each GET stream with the posts to the URL that it announced."""
    one, two = client("c1"), client("c2")
    streams = [one.stream(one.ask("GET", "/sse", Accept="text/event-stream"))]
    one.endpoint(streams[0], "/messages?s=1")
    streams.append(two.stream(two.ask("GET", "/sse", Accept="text/event-stream")))
    two.endpoint(streams[1], "http://127.0.0.1:8000/messages?s=2")
    hello = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {}}
    posts = [one.ask("POST", "/messages?s=2", hello), two.ask("POST", "/messages?s=1", hello)]
    engine = played()
    assert [engine.of[x] for x in streams] == ["s1", "s2"]
    assert [engine.of[x] for x in posts] == ["s2", "s1"]
    assert {session.transport for session in engine.sessions.values()} == {"http+sse"}


def test_an_announced_url_of_another_origin_is_found_by_its_query(client, played):
    """A server behind a proxy announces its own origin; the token in the query tells the session."""
    one = client("c1")
    stream = one.stream(one.ask("GET", "/sse", Accept="text/event-stream"))
    one.endpoint(stream, "http://backend:9000/messages?s=1")
    post = client("c9", "10.9.9.9").ask("POST", "/messages?s=1", {"jsonrpc": "2.0", "id": 1, "method": "ping"})
    of = played().of
    assert of[stream] == of[post] == "s1"


def test_a_post_astray_is_the_event_streams_client(client, played):
    """A message to a URL that nobody announced still comes from the client with the stream."""
    one = client("c1")
    stream = one.stream(one.ask("GET", "/sse", Accept="text/event-stream"))
    one.endpoint(stream, "/messages?s=1")
    post = one.ask("POST", "/message", {"jsonrpc": "2.0", "id": 1, "method": "initialize"})
    of = played().of
    assert of[stream] == of[post] == "s1"


def test_streamable_http_beside_an_event_stream_is_a_session_of_its_own(client, played):
    """One origin serves both transports: a client of the new one says so in Accept."""
    one = client("c1")
    stream = one.stream(one.ask("GET", "/a/sse", Accept="text/event-stream"))
    one.endpoint(stream, "/a/messages?s=1")
    opened = one.initialize("/b/mcp", Accept="application/json, text/event-stream")
    of = played().of
    assert (of[stream], of[opened]) == ("s1", "s2")


def test_falling_back_to_http_sse_is_one_session(client, played):
    """A newer client posts in vain first: the stream that it then opens is the same session."""
    one = client("c1")
    tried = one.tell(one.ask("POST", "/sse", {"jsonrpc": "2.0", "id": 1, "method": "initialize"}), 405)
    stream = one.stream(one.ask("GET", "/sse", Accept="text/event-stream"))
    one.endpoint(stream, "/messages?s=1")
    of = played().of
    assert of[tried] == of[stream] == "s1"


def test_what_is_forgotten_is_counted():
    """Beyond its cap the scope forgets the oldest clients and says so."""
    drops = Drops()
    scope = HttpScope(lambda transport, server, from_start: Session("s", transport, server), drops)
    for number in range(5_001):
        scope.session_of(HttpExchange(f"x{number}", number, 0.0, "POST", f"http://h/{number}", []))
    assert drops["http clients"] == 1
    assert drops.limits["http clients"] == 5_000
