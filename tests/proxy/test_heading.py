"""The header of a capture that the proxy makes, and where the file lies."""

import os
import re

import pytest

from mcpsniff.proxy import heading


def test_header_of_one_server():
    """It names the server, the engine and what is hidden."""
    fields = heading.header(["reverse:http://localhost:8000@127.0.0.1:8080"], True, ["cookie"])
    assert (fields["transport"], fields["upstream"], fields["redacted"]) == (
        "http",
        "http://localhost:8000",
        ["cookie"],
    )
    assert fields["proxy"]["mode"] == "reverse:http://localhost:8000@127.0.0.1:8080"
    assert fields["proxy"]["host_rewritten"] is True
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z", fields["started"])
    assert fields["pid"] == os.getpid()


def test_header_without_one_server():
    """A regular proxy has no upstream and rewrites no Host; what is not hidden is not listed."""
    fields = heading.header(["regular"], True, [])
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
    assert os.path.basename(heading.place(None, modes)).startswith(name + "-")


def test_place_that_the_user_chose():
    """The codes of the pattern are filled in."""
    assert heading.place("/tmp/%Y-%p.jsonl", ["regular"]) == f"/tmp/{heading.time.strftime('%Y')}-{os.getpid()}.jsonl"
