"""Secrets are hidden, and nothing but secrets."""

import hashlib

import pytest

from mcpsniff.wire.redact import POLICY, Redactor

SALT = b"salt"


def hidden(secret: str) -> str:
    digest = hashlib.sha256(SALT + secret.encode()).hexdigest()
    return f"‹redacted:{digest[:8]}:{len(secret)}›"


SECRET = hidden("abc")


@pytest.fixture
def redactor():
    return Redactor(SALT)


def test_the_form_keeps_the_scheme_and_tells_digest_and_length(redactor):
    """Of two words the first stays; the digest is of salt and secret, so other captures have other digests."""
    assert hidden("abc") == "‹redacted:36810999:3›"
    assert redactor.value("Bearer abc") == "Bearer ‹redacted:36810999:3›"
    assert Redactor(b"other").value("Bearer abc") != redactor.value("Bearer abc")


@pytest.mark.parametrize("value", ["abc", "a=b; c=d", "a=b; path", "one two three", "", " lead"])
def test_a_value_that_is_not_scheme_and_secret_is_hidden_whole(redactor, value):
    """One word, more than two, or a first word that is no scheme's name: nothing of it stays."""
    assert redactor.value(value) == hidden(value)


@pytest.mark.parametrize(
    "name",
    [
        "Authorization",
        "proxy-authorization",
        "Cookie",
        "Set-Cookie",
        "X-Api-Key",
        "API-KEY",
        "X-Auth-Token",
        "My-Token",
        "x-client-secret",
        "Ocp-Apim-Subscription-Key",
    ],
)
def test_secret_headers_are_hidden(redactor, name):
    """Names are compared without case; those that end in -token, -secret, -key are secret too."""
    assert redactor.headers([(name, "abc")]) == [[name, hidden("abc")]]


def test_other_headers_stay_in_order_with_duplicates(redactor):
    """Two WebSocket and retry headers end in -key and are no secrets; names and order are as sent."""
    pairs = [
        ["Accept", "a"],
        ["accept", "b"],
        ["Sec-WebSocket-Key", "k"],
        ["Idempotency-Key", "k"],
        ["Mcp-Session-Id", "s"],
    ]
    assert redactor.headers(pairs) == pairs


def test_a_redirect_does_not_leak_its_code(redactor):
    """Headers whose value is a URL have its query looked at."""
    assert redactor.headers([["Location", "http://localhost/cb?code=abc&state=s"]]) == [
        ["Location", f"http://localhost/cb?code={hidden('abc')}&state=s"]
    ]


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("https://h/p", "https://h/p"),
        ("https://h/token=abc/key", "https://h/token=abc/key"),
        ("https://h/p?x=1&token=abc&y=%20", f"https://h/p?x=1&token={hidden('abc')}&y=%20"),
        ("https://h/p?API_KEY=abc", f"https://h/p?API_KEY={hidden('abc')}"),
        ("https://h/p?t%6Fken=a%62c#frag", f"https://h/p?t%6Fken={hidden('abc')}#frag"),
        ("https://h/cb#access_token=abc&x=1", f"https://h/cb#access_token={hidden('abc')}&x=1"),
        ("https://h/p?tokens=abc&monkey=1", "https://h/p?tokens=abc&monkey=1"),
        ("/relative?key=abc?d", f"/relative?key={hidden('abc?d')}"),
    ],
)
def test_url_members_are_hidden_by_name(redactor, url, shown):
    """Only the value changes, only of the members in the list, however their names are written."""
    assert redactor.url(url) == shown


def test_form_bodies_hide_their_members(redactor):
    """A token exchange keeps its grant type and loses code, verifier and secret."""
    body = b"grant_type=authorization_code&code=abc&code_verifier=a%62c&client_id=me&client_secret=abc"
    secret = hidden("abc")
    shown = f"grant_type=authorization_code&code={secret}&code_verifier={secret}&client_id=me&client_secret={secret}"
    assert redactor.form(body) == shown.encode()
    assert redactor.body("application/x-www-form-urlencoded; charset=utf-8", body) == shown.encode()


def test_json_bodies_hide_members_at_any_depth_and_keep_their_spelling(redactor):
    """Values of any kind are replaced by a string; a string that is no name is left alone."""
    body = b'{ "access_token" : "a\\u0062c","n":1e999,"in":[{"key":{"k":["secret"]}}],"is":"token", "expires":3600}'
    shown = (
        f'{{ "access_token" : "{hidden("abc")}","n":1e999,"in":[{{"key":"{hidden(repr_of_key)}"}}]'
        ',"is":"token", "expires":3600}'
    )
    assert redactor.json(body).decode() == shown
    assert redactor.body("application/json", body).decode() == shown
    assert redactor.body("application/problem+json", body).decode() == shown


repr_of_key = '{"k":["secret"]}'


def test_broken_json_hides_rather_too_much(redactor):
    """Where a secret value has no end all that follows is hidden; bytes that are no UTF-8 survive elsewhere."""
    assert redactor.json(b'\xff{"token": "ab') == b'\xff{"token": "' + hidden('"ab').encode() + b'"'


def test_bodies_of_other_types_stay(redactor):
    """HTML is not looked into."""
    assert redactor.body("text/html", b"token=abc") == b"token=abc"


@pytest.mark.parametrize(
    ("argv", "shown"),
    [
        (["srv", "--api-key", "abc", "next"], ["srv", "--api-key", hidden("abc"), "next"]),
        (["srv", "--token=abc"], ["srv", f"--token={hidden('abc')}"]),
        (["srv", "-Password", "abc"], ["srv", "-Password", hidden("abc")]),
        (["docker", "-e", "GITHUB_TOKEN=abc", "img"], ["docker", "-e", f"GITHUB_TOKEN={hidden('abc')}", "img"]),
        (["docker", "-e", "GITHUB_TOKEN", "img"], ["docker", "-e", "GITHUB_TOKEN", "img"]),
        (["docker", "--env=MY_SECRET=abc"], ["docker", f"--env=MY_SECRET={hidden('abc')}"]),
        (["env", "API_KEY=a=b", "srv"], ["env", f"API_KEY={hidden('a=b')}", "srv"]),
        (
            ["npx", "--header", "Authorization: Bearer abc"],
            ["npx", "--header", f"Authorization: Bearer {hidden('abc')}"],
        ),
        (["npx", "--header=X-Api-Key:abc"], ["npx", f"--header=X-Api-Key:{hidden('abc')}"]),
        (["npx", "https://h/mcp?token=abc&x=1"], ["npx", f"https://h/mcp?token={hidden('abc')}&x=1"]),
        (["npx", "--url=https://h/?key=abc"], ["npx", f"--url=https://h/?key={hidden('abc')}"]),
        (["npx", "--config", '{"apiKey":"abc"}'], ["npx", "--config", f'{{"apiKey":"{hidden("abc")}"}}']),
        (["env", 'CONFIG={"token":"abc"}'], ["env", f'CONFIG={{"token":"{hidden("abc")}"}}']),
        (
            ["sh", "-c", "A_KEY=abc  npx srv --token abc --url=http://h/?key=abc x"],
            ["sh", "-c", f"A_KEY={SECRET}  npx srv --token {SECRET} --url=http://h/?key={SECRET} x"],
        ),
        (["srv", "Server=h;Password=abc;Port=1"], ["srv", f"Server=h;Password={SECRET};Port=1"]),
        (["srv", "x=" + "y=" * 5000], ["srv", "x=" + "y=" * 5000]),
        (["srv", "--keyring", "--token", "abc"], ["srv", "--keyring", hidden("--token"), hidden("abc")]),
        (["key-server", "monkey", "-x", "--level=info"], ["key-server", "monkey", "-x", "--level=info"]),
        (["C:\\srv.exe", "C:\\data"], ["C:\\srv.exe", "C:\\data"]),
        ([], []),
    ],
)
def test_command_arguments(redactor, argv, shown):
    """What follows or is held by an option, a variable or a header with a secret's name is hidden."""
    assert redactor.command(argv) == shown


def test_the_hidden_options_are_told(redactor):
    """The header of a capture can say what was hidden, each name once."""
    redactor.command(["srv", "--api-key", "x", "--token=y", "--token=z", "-e", "A_SECRET=w", "http://h/?KEY=v"])
    redactor.command(["npx", "--header", "Authorization: Bearer x", '{"code":1}'])
    assert redactor.hidden == ["--api-key", "--token", "A_SECRET", "key", "Authorization", "code"]


def test_switched_off_nothing_changes():
    """With redaction off every method gives back what it got, and no name is listed."""
    redactor = Redactor(SALT, enabled=False)
    assert redactor.headers([("Authorization", "Bearer abc")]) == [["Authorization", "Bearer abc"]]
    assert redactor.url("https://h/?token=abc") == "https://h/?token=abc"
    assert redactor.form(b"code=abc") == b"code=abc"
    assert redactor.json(b'{"token":"abc"}') == b'{"token":"abc"}'
    assert redactor.value("Bearer  abc") == "Bearer  abc"
    assert redactor.command(["srv", "--token", "abc", "K_TOKEN=a"]) == ["srv", "--token", "abc", "K_TOKEN=a"]
    assert (redactor.names, redactor.hidden) == ([], [])
    assert Redactor(SALT).names == list(POLICY)


def test_what_is_pointed_at_in_messages():
    """The value becomes the one form of its secret, all other bytes stay; asked for, it is hidden in any case."""
    redactor = Redactor(SALT, False, ["/params/arguments/pin", "/result/secret"])
    body = b'{ "id":1, "params" : {"arguments":{"pin" :"1234", "x":1.0, "pin":1234}}, "bad":"\xff"}'
    hidden = redactor.conceal("1234").encode()
    assert hidden.startswith("‹redacted:".encode())
    assert hidden.endswith(":4›".encode())
    assert redactor.message(body) == body.replace(b'"1234"', b'"%s"' % hidden).replace(
        b'"pin":1234', b'"pin":"%s"' % hidden
    )
    assert redactor.names == ["/params/arguments/pin", "/result/secret"]


def test_headers_that_repeat_what_is_pointed_at():
    """A secret argument may stand in a header too; other mirrors stay as they are."""
    redactor = Redactor(SALT, True, ["/params/arguments/pin"])
    sent = [("Mcp-Param-Pin", "1234"), ("Mcp-Name", "pay")]
    assert redactor.headers(sent) == [["Mcp-Param-Pin", redactor.conceal("1234")], ["Mcp-Name", "pay"]]
    assert Redactor(SALT, True, ["/params"]).headers(sent)[1][1] != "pay"
    assert Redactor(SALT).headers(sent) == [list(pair) for pair in sent]
