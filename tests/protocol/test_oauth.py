"""Steps of OAuth read from exchanges; the URLs are those of RFC 8414, 8615 and 9728."""

import json

import pytest

from mcpsniff.protocol.exchange import HttpExchange, origin_of
from mcpsniff.protocol.message import CLIENT, SERVER, Message
from mcpsniff.protocol.oauth import (
    StepKind,
    bare_url,
    challenges,
    credentials,
    is_challenge,
    is_loopback,
    issuer_of,
    jwt_claims,
    scopes,
    step_of,
    told_error,
    well_known,
)

FORM = ("Content-Type", "application/x-www-form-urlencoded")


def exchange(method="GET", url="https://as.example/", headers=(), form=None, sent=None, status=None, body=None):
    """Makes an exchange with what was sent and what came back."""
    one = HttpExchange("x", 1, 0.5, method, url, list(headers))
    if form is not None:
        one.texts.append((CLIENT, 2, form))
    if sent is not None:
        one.messages.append(message(sent, CLIENT))
    one.status, one.reply_seq = status, 3
    one.body = None if body is None else message(body, SERVER, one)
    return one


def message(value, sender, of=None):
    """Makes a message of a value."""
    raw = json.dumps(value).encode()
    one = Message(raw, sender, 4, 0.5, len(raw))
    one.exchange = of
    return one


@pytest.mark.parametrize(
    ("url", "kind"),
    [
        ("https://s.example/.well-known/oauth-protected-resource/mcp", StepKind.RESOURCE),
        ("https://as.example/.well-known/oauth-authorization-server", StepKind.SERVER),
        ("https://as.example/tenant/.well-known/openid-configuration", StepKind.SERVER),
        ("https://as.example/authorize?client_id=x", StepKind.AUTHORIZE),
        ("https://as.example/start?client_id=x&response_type=code", StepKind.AUTHORIZE),
        ("https://as.example/start?client_id=x", None),
        ("https://as.example/health", None),
    ],
)
def test_get_is_told_by_its_url(url, kind):
    """A GET is metadata by its well-known path, an authorization request by its parameters."""
    step = step_of(exchange(url=url), None)
    assert (step and step.kind) == kind


def test_post_is_told_by_what_it_sends():
    """A form with a grant is a token request, JSON with redirect URIs a registration; other POSTs are neither."""
    token = step_of(exchange("POST", headers=[FORM], form="grant_type=refresh_token&refresh_token=R1"), None)
    assert token is not None
    assert (token.kind, token.params["refresh_token"]) == (StepKind.TOKEN, "R1")
    register = step_of(exchange("POST", sent={"redirect_uris": []}), None)
    assert register is not None
    assert register.kind is StepKind.REGISTER
    assert step_of(exchange("POST", form="grant_type=refresh_token"), None) is None  # no form by its type
    assert step_of(exchange("POST", sent={"name": "x"}), None) is None


def test_metadata_name_steps_that_nothing_else_tells():
    """A URL that metadata named is what they say, whatever it looks like."""
    step = step_of(exchange("POST", "https://as.example/t"), StepKind.TOKEN)
    assert step is not None
    assert step.kind is StepKind.TOKEN


def test_only_success_gives_a_document():
    """The JSON object of a failed request is kept, but gives nothing."""
    bad = step_of(exchange(url="https://as.example/authorize?client_id=x", status=400, body={"error": "no"}), None)
    assert bad is not None
    assert (bad.ok, bad.document, bad.given) == (False, {"error": "no"}, {})
    good = step_of(exchange(url="https://as.example/authorize?client_id=x", status=200, body={"a": 1}), None)
    assert good is not None
    assert (good.ok, good.given, good.reply_seq) == (True, {"a": 1}, 4)


def test_redirect_gives_the_parameters_of_its_location():
    """The query of Location is read from a 3xx alone."""
    one = exchange(url="https://as.example/authorize?client_id=x", status=302)
    one.reply_headers = [("Location", "http://127.0.0.1/cb?code=c1&state=s%201")]
    step = step_of(one, None)
    assert step is not None
    assert step.redirect == {"code": "c1", "state": "s 1"}
    one.status = 200
    assert step.redirect == {}


@pytest.mark.parametrize(
    ("url", "issuer"),
    [
        ("https://as.example/.well-known/oauth-authorization-server", "https://as.example"),
        ("https://as.example/.well-known/openid-configuration/tenant", "https://as.example/tenant"),
        ("https://as.example/tenant/.well-known/openid-configuration", "https://as.example/tenant"),
        ("https://as.example/tenant", None),
    ],
)
def test_issuer_is_read_from_all_three_forms(url, issuer):
    """The path of the issuer stands behind the well-known name or before it."""
    assert issuer_of(url) == issuer


def test_urls_are_compared_without_what_does_not_count():
    """Case of scheme and host, the default port, query and fragment do not count; the path does."""
    assert bare_url("HTTPS://As.Example:443/Token?x=1#y") == "https://as.example/Token"
    assert origin_of("http://h:8080/mcp") == "http://h:8080"
    assert well_known("https://s.example/.well-known/oauth-protected-resource") == ("oauth-protected-resource", "")
    local = ("http://localhost:1/", "http://127.0.0.1/", "http://[::1]:2/", "https://h/")
    assert [is_loopback(u) for u in local] == [True, True, True, False]


def test_challenges_are_parsed_by_scheme():
    """Several challenges on one line or several; quoted values with escapes and commas; schemes without parameters."""
    values = ['Bearer realm="a, b", error=invalid_token, scope="x \\"y\\"", Basic realm="c"', "Negotiate"]
    assert challenges(values) == {
        "bearer": {"realm": "a, b", "error": "invalid_token", "scope": 'x "y"'},
        "basic": {"realm": "c"},
        "negotiate": {},
    }


@pytest.mark.parametrize(
    ("value", "parts"),
    [
        (None, None),
        ("Bearer abc", ("bearer", "abc")),
        ("bearer  abc ", ("bearer", "abc")),
        ("Bearer", ("bearer", "")),
        ("abc", ("", "abc")),
    ],
)
def test_credentials_have_a_scheme_or_none(value, parts):
    """One word is a secret without a scheme, unless it is the word Bearer."""
    headers = [] if value is None else [("Authorization", value)]
    assert credentials(exchange(headers=headers)) == parts


def test_refusals_are_told_by_status_header_or_body():
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


def test_only_readable_tokens_have_claims():
    """The middle part of a JWT is read; opaque, broken and redacted tokens say nothing."""
    assert jwt_claims("e30.eyJleHAiOjF9.sig") == {"exp": 1}
    for token in ("", "abc", "a.b.c", "e30.W10.x", "‹redacted:9f86d081:43›", "a.‹.c"):
        assert jwt_claims(token) == {}


def test_scopes_come_as_text_or_list():
    """Both spellings give the same set; anything else gives none."""
    assert scopes("a  b") == scopes(["a", "b", 1]) == {"a", "b"}
    assert scopes(None) == scopes(7) == frozenset()
