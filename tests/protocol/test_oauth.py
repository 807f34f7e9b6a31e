"""Steps of OAuth read from exchanges; the URLs are those of RFC 8414, 8615 and 9728."""

import pytest

from mcpsniff.protocol.exchange import origin_of
from mcpsniff.protocol.oauth import StepKind, bare_url, is_loopback, issuer_of, step_of, well_known

FORM = ("Content-Type", "application/x-www-form-urlencoded")


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
def test_get_is_told_by_its_url(exchange, url, kind):
    """A GET is metadata by its well-known path, an authorization request by its parameters."""
    step = step_of(exchange(url=url), None)
    assert (step and step.kind) == kind


def test_post_is_told_by_what_it_sends(exchange):
    """A form with a grant is a token request, JSON with redirect URIs a registration; other POSTs are neither."""
    token = step_of(exchange("POST", headers=[FORM], form="grant_type=refresh_token&refresh_token=R1"), None)
    assert token is not None
    assert (token.kind, token.params["refresh_token"]) == (StepKind.TOKEN, "R1")
    register = step_of(exchange("POST", sent={"redirect_uris": []}), None)
    assert register is not None
    assert register.kind is StepKind.REGISTER
    assert step_of(exchange("POST", form="grant_type=refresh_token"), None) is None  # no form by its type
    assert step_of(exchange("POST", sent={"name": "x"}), None) is None


def test_metadata_name_steps_that_nothing_else_tells(exchange):
    """A URL that metadata named is what they say, whatever it looks like."""
    step = step_of(exchange("POST", "https://as.example/t"), StepKind.TOKEN)
    assert step is not None
    assert step.kind is StepKind.TOKEN


def test_only_success_gives_a_document(exchange):
    """The JSON object of a failed request is kept, but gives nothing."""
    bad = step_of(exchange(url="https://as.example/authorize?client_id=x", status=400, body={"error": "no"}), None)
    assert bad is not None
    assert (bad.ok, bad.document, bad.given) == (False, {"error": "no"}, {})
    good = step_of(exchange(url="https://as.example/authorize?client_id=x", status=200, body={"a": 1}), None)
    assert good is not None
    assert (good.ok, good.given, good.reply_seq) == (True, {"a": 1}, 4)


def test_redirect_gives_the_parameters_of_its_location(exchange):
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
