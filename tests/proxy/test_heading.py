"""The header of a capture that the proxy makes, and where the file lies."""

import os

import pytest

from mcpsniff.proxy import heading


def test_header_of_one_server():
    """It names the server, the engine and what is hidden."""
    engine = heading.Engine("tap", "1.0", ["reverse:http://localhost:8000@127.0.0.1:8080"], True)
    fields = heading.header(engine, ["cookie"], 1_000_000_000.25, 4711)
    assert (fields["transport"], fields["upstream"], fields["redacted"]) == (
        "http",
        "http://localhost:8000",
        ["cookie"],
    )
    assert fields["proxy"] == {
        "engine": "tap",
        "version": "1.0",
        "mode": "reverse:http://localhost:8000@127.0.0.1:8080",
        "host_rewritten": True,
    }
    assert (fields["started"], fields["pid"]) == ("2001-09-09T01:46:40.250000Z", 4711)


def test_header_without_one_server():
    """A regular proxy has no upstream and rewrites no Host; what is not hidden is not listed."""
    fields = heading.header(heading.Engine("mitmproxy", "12", ["regular"], True), [], 0, 1)
    assert fields["proxy"]["host_rewritten"] is False
    assert not {"upstream", "redacted"} & set(fields)


@pytest.mark.parametrize(
    ("modes", "name"),
    [
        (["reverse:http://localhost:8000@8080"], "localhost-8000"),
        (["reverse:http://localhost:8000", "reverse:http://localhost:8001"], "http"),
        (["regular"], "http"),
    ],
)
def test_default_place_is_named_after_the_server(modes, name):
    """One server gives its address, anything else is called http."""
    assert os.path.basename(heading.places(None, modes, 1, 0.0)(0.0)).startswith(name + "-")


def test_place_that_the_user_chose():
    """The codes of the pattern are filled in, by the time at which a file begins."""
    assert heading.places("/tmp/%S-%p.jsonl", ["regular"], 4711, 3600.0)(61.0) == "/tmp/01-4711.jsonl"
