"""The envelope: what the modern era adds to a message, to the byte."""

import json

import pytest

from mcpsniff.analysis.figures.envelope import request_envelope, result_envelope
from mcpsniff.protocol.message import CLIENT, SERVER, Message


def envelope_of(text, sender=CLIENT):
    """The envelope of a message given as text."""
    raw = text.encode()
    message = Message(raw, sender, 1, 0.0, len(raw))
    return request_envelope(message) if sender == CLIENT else result_envelope(message)


def written(meta, spaced=False, **params):
    """A request with this `_meta`, compact or as Python's json writes by default."""
    request = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {**params, "_meta": meta}}
    return json.dumps(request, separators=None if spaced else (",", ":"))


def test_a_request_with_params_of_its_own_carries_194_bytes(meta):
    """The published figure for fixture-client 1.0.0 with empty capabilities."""
    assert envelope_of(written(meta, cursor="x")) == 194


def test_a_request_without_params_carries_11_bytes_more(meta):
    """`"params":{}` goes with the envelope that is its only member."""
    assert envelope_of(written(meta)) == 205


def test_other_members_of_meta_stay(meta):
    """A progress token is not of the envelope: `_meta` is not emptied."""
    whole = written({**meta, "progressToken": 1}, cursor="x")
    assert envelope_of(whole) == len(whole) - len(written({"progressToken": 1}, cursor="x"))


@pytest.mark.parametrize("own", [{}, {"cursor": "x"}, {"a": 1, "b": {"io.modelcontextprotocol/clientInfo": 1}}])
def test_blanks_between_members_go_with_them(meta, own):
    """Text with blanks is measured as it was sent."""
    request = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", **({"params": own} if own else {})}
    assert envelope_of(written(meta, spaced=True, **own)) == len(written(meta, spaced=True, **own)) - len(
        json.dumps(request)
    )


def test_a_result_carries_type_and_server(meta):
    """resultType 24 bytes, serverInfo 91 (fixture-server 1.0.0), ttlMs and cacheScope 33."""
    server = {"io.modelcontextprotocol/serverInfo": {"name": "fixture-server", "version": "1.0.0"}}
    result = {"_meta": server, "resultType": "complete", "ttlMs": 0, "cacheScope": "private", "tools": []}
    plain = {"jsonrpc": "2.0", "id": 1, "result": result}
    assert envelope_of(json.dumps(plain, separators=(",", ":")), SERVER) == 24 + 91 + 33


def test_what_carries_none(meta):
    """A legacy request, a legacy result, and values of the wrong kind carry no envelope."""
    assert envelope_of('{"jsonrpc":"2.0","id":1,"method":"ping"}') == 0
    assert envelope_of('{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":[1]}}') == 0
    assert envelope_of('{"jsonrpc":"2.0","id":1,"result":{"tools":[]}}', SERVER) == 0
    assert envelope_of('{"jsonrpc":"2.0","id":1,"result":7}', SERVER) == 0


def test_means_over_a_session(talk, meta):
    """Over one request with params of its own and one without the mean is 199.5, as published for the tour."""
    talk.client(id=1, method="tools/list", params={"_meta": meta})
    talk.client(id=2, method="tools/call", params={"name": "x", "_meta": meta})
    assert talk.session()["envelope"] == {"request_bytes": 199.5, "result_bytes": None}


def test_a_legacy_session_carries_nothing(talk):
    """The era adds no byte, which is known, not unknown."""
    talk.handshake()
    assert talk.session()["envelope"] == {"request_bytes": 0.0, "result_bytes": 0.0}
