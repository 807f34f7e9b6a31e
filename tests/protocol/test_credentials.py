"""What a request and a token say of who may do what."""

import pytest

from mcpsniff.protocol.credentials import credentials, jwt_claims, scopes


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
def test_credentials_have_a_scheme_or_none(exchange, value, parts):
    """One word is a secret without a scheme, unless it is the word Bearer."""
    headers = [] if value is None else [("Authorization", value)]
    assert credentials(exchange(headers=headers)) == parts


def test_only_readable_tokens_have_claims():
    """The middle part of a JWT is read; opaque, broken and redacted tokens say nothing."""
    assert jwt_claims("e30.eyJleHAiOjF9.sig") == {"exp": 1}
    for token in ("", "abc", "a.b.c", "e30.W10.x", "‹redacted:9f86d081:43›", "a.‹.c"):
        assert jwt_claims(token) == {}


def test_scopes_come_as_text_or_list():
    """Both spellings give the same set; anything else gives none."""
    assert scopes("a  b") == scopes(["a", "b", 1]) == {"a", "b"}
    assert scopes(None) == scopes(7) == frozenset()
