"""URL elicitations of a server, over all its sessions."""

import pytest

from mcpsniff.protocol.bounded import Drops
from mcpsniff.protocol.exchange import HttpExchange
from mcpsniff.protocol.offers import CAP, Offer, Offers
from mcpsniff.protocol.servers import ServerFacts

ENTRY = {"mode": "url", "message": "m", "url": "https://s.example/a", "elicitationId": "e1"}


def demand(side, *entries):
    """A call that error -32042 answers."""
    side.ask("tools/call", 1, name="x")
    return side.refuse(-32042, 1, elicitations=list(entries))


def test_offer_is_known_in_all_sessions_of_the_server(talk):
    """The first one stays, with its session; the notification completes it once."""
    server = ServerFacts()
    one, other = talk(server=server), talk(server=server)
    other.session.offers = Offers("s2", other.session.dropped, server)
    one.handshake()
    first = demand(one, ENTRY)
    demand(one, {**ENTRY, "url": "https://s.example/b"})
    offer = other.session.offers.of("e1")
    assert (offer.url, offer.seq, offer.completed) == ("https://s.example/a", first.seq, None)
    assert one.session.offers.is_here(offer)
    assert not other.session.offers.is_here(offer)
    done = one.note("server", "notifications/elicitation/complete", elicitationId="e1")
    one.note("server", "notifications/elicitation/complete", elicitationId="e1")
    assert offer.completed == done.seq


@pytest.mark.parametrize("entry", [{**ENTRY, "mode": "form"}, {**ENTRY, "elicitationId": 5}, {}, []])
def test_others_are_no_offers(talk, entry):
    """Forms, and entries without an id."""
    one = talk()
    one.handshake()
    demand(one, entry)
    assert one.session.offers.of("e1") is None
    assert one.session.offers.of(5) is None


def exchange(address, *headers):
    """An exchange of a client at an address."""
    one = HttpExchange("x", 1, 0.0, "GET", "http://127.0.0.1:8000/mcp", list(headers))
    one.address = address
    return one


def test_client_is_known_by_credentials_before_its_address():
    """The port does not count; another token is another client."""
    offer = Offer(None, 1, "s1", exchange("10.0.0.1:5000", ("User-Agent", "a")))
    assert offer.same_client(exchange("10.0.0.1:6000", ("User-Agent", "a")))
    assert not offer.same_client(exchange("10.0.0.2:5000", ("User-Agent", "a")))
    assert not offer.same_client(exchange("10.0.0.1:5000", ("User-Agent", "a"), ("Authorization", "Bearer x")))
    signed = Offer(None, 1, "s1", exchange("10.0.0.1:5000", ("Authorization", "Bearer x")))
    assert signed.same_client(exchange("10.0.0.9:1", ("Authorization", "Bearer x")))


def test_store_forgets_the_oldest(talk):
    """And says so."""
    one = talk()
    offers = Offers("s1", drops := Drops(), server := ServerFacts())
    for number in range(CAP):
        server.offers[f"e{number}"] = Offer(None, number, "s1", None)
    one.session.offers = offers
    one.handshake()
    demand(one, {**ENTRY, "elicitationId": "last"})
    assert offers.of("e0") is None
    assert offers.of("last") is not None
    assert offers.forgot
    assert drops.limits == {"url elicitations": CAP}
