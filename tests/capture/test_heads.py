"""Heads as plain data."""

import pytest

from mcpsniff.capture.heads import as_text, media_type, value, values

HEADERS = [("Accept", "a"), ("ACCEPT", "b"), ("Content-Type", " Text/Event-Stream ; charset=utf-8")]


def test_duplicates_are_kept_apart():
    """Neither joined nor dropped, in their order, in any case of letters."""
    assert list(values(HEADERS, "accept")) == ["a", "b"]
    assert (value(HEADERS, "accept"), value(HEADERS, "origin")) == ("a", "")


def test_media_type_without_parameters():
    """In lower case, blanks taken off."""
    assert (media_type(HEADERS), media_type([])) == ("text/event-stream", "")


@pytest.mark.parametrize(("raw", "text"), [(b"plain", "plain"), ("日本".encode(), "日本"), (b"caf\xe9", "café")])
def test_header_bytes_as_text(raw, text):
    """UTF-8 where it is that, else Latin-1: never an error."""
    assert as_text([(b"Mcp-Name", raw)]) == [("Mcp-Name", text)]
