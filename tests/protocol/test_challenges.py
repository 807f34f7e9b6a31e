"""Refusals for want of authorization, and what they ask for."""

from mcpsniff.protocol.challenges import challenges, is_challenge, told_error


def test_challenges_are_parsed_by_scheme():
    """Several challenges on one line or several; quoted values with escapes and commas; schemes without parameters."""
    values = ['Bearer realm="a, b", error=invalid_token, scope="x \\"y\\"", Basic realm="c"', "Negotiate"]
    assert challenges(values) == {
        "bearer": {"realm": "a, b", "error": "invalid_token", "scope": 'x "y"'},
        "basic": {"realm": "c"},
        "negotiate": {},
    }


def test_refusals_are_told_by_status_header_or_body(exchange):
    """401, 403, WWW-Authenticate, or an OAuth error in the body of a failure."""
    assert is_challenge(exchange(status=401))
    assert is_challenge(exchange(status=403))
    assert not is_challenge(exchange(status=404))
    told = exchange(status=400, body={"error": "invalid_token"})
    assert is_challenge(told)
    assert told_error(told) == "invalid_token"
    assert told_error(exchange(status=400, body={"error": "teapot"})) is None
    rpc = {"jsonrpc": "2.0", "id": 1, "error": {"code": 1, "message": ""}}
    assert told_error(exchange(status=400, body=rpc)) is None
    asked = exchange(status=200)
    asked.reply_headers = [("WWW-Authenticate", "Bearer")]
    assert is_challenge(asked)
