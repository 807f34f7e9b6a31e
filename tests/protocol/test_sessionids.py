"""Session ids: given, late, learned, ended and given again."""

import pytest

from mcpsniff.protocol.exchange import HttpExchange
from mcpsniff.protocol.servers import ServerFacts
from mcpsniff.protocol.sessionids import DELETED, LATE, LOST, SessionIds


def exchange(seq, method="POST", status=200, sent=None, given=None, path="/mcp", media="application/json"):
    headers = [("Mcp-Session-Id", sent)] if sent else []
    one = HttpExchange(str(seq), seq, seq / 10, method, f"http://h{path}", headers)
    one.status, one.reply_seq, one.reply_at = status, seq + 1, seq / 10 + 0.05
    one.reply_headers = [("Content-Type", media)] + ([("Mcp-Session-Id", given)] if given else [])
    return one


def opened():
    ids = SessionIds(ServerFacts())
    ids.accept(exchange(1, given="A"))
    return ids


@pytest.mark.parametrize(
    ("closed", "by"),
    [
        (exchange(5, "DELETE", 204, "A"), DELETED),
        (exchange(5, "POST", 404, "A"), LOST),
        (exchange(5, "DELETE", 405, "A"), None),
        (exchange(5, "GET", 404, "A"), None),
        (exchange(5, "POST", 404, "A", path="/other"), None),
        (exchange(5, "POST", 404, "A", media="text/html"), None),
        (exchange(5, "POST", 404, "B"), None),
    ],
)
def test_what_ends_a_session(closed, by):
    """A DELETE that succeeds and a 404 to a POST at its endpoint; a web page is none of the server's MCP side."""
    ids = opened()
    ids.close(closed)
    given = ids.get("A")
    assert given.ended_by == by
    assert ids.ended == (6 if by else None)
    assert given.ended_before(exchange(7)) is (by is not None)
    assert not given.ended_before(exchange(5))


def test_an_id_may_be_given_again():
    """A later InitializeResult with the same id revives it."""
    ids = opened()
    ids.close(exchange(5, "DELETE", 200, "A"))
    ids.accept(exchange(9, given="A"))
    assert ids.ended is None


def test_ids_on_other_responses_are_late():
    """An echo is none, and neither is the id of a refusal."""
    ids = opened()
    ids.close(exchange(5, sent="A", given="A"))
    ids.close(exchange(7, status=400, given="C"))
    ids.close(exchange(9, sent="A", given="B"))
    assert ids.get("C") is None
    assert (ids.get("B").how, ids.get("B").seq) == (LATE, 10)
    assert ids.first == "A"


def test_ids_are_learned_where_the_beginning_is_missing():
    """The first use tells what the server had given."""
    ids = SessionIds(ServerFacts())
    ids.learn(exchange(3, sent="A"))
    ids.close(exchange(5, "POST", 404, "A"))
    assert ids.get("A").ended_by == LOST
    assert ids.first is None


def test_a_server_remembers_what_it_gave_out():
    """Ids of all sessions stand in order, with their owners."""
    server = ServerFacts()
    one, other = SessionIds(server), SessionIds(server)
    one.accept(exchange(1, given="A"))
    other.accept(exchange(3, given="B"))
    other.close(exchange(5, "DELETE", 405, "B"))
    assert [(issued.id, issued.owner, issued.seq) for issued in server.given_ids] == [("A", one, 2), ("B", other, 4)]
    assert server.refuses_delete
