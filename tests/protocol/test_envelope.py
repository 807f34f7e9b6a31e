"""`_meta` objects that are read once."""

import json

import pytest
from msgspec import Raw

from mcpsniff.protocol.envelope import SHORT, meta_of

VERSION = "io.modelcontextprotocol/protocolVersion"


@pytest.mark.parametrize(
    ("text", "value", "modern"),
    [
        ({"progressToken": 1}, {"progressToken": 1}, False),
        ({VERSION: "2026-07-28"}, {VERSION: "2026-07-28"}, True),
        ([], {}, False),
        (None, {}, False),
    ],
)
def test_value(text: object, value: object, modern: bool) -> None:
    """An object is itself, anything else is like an empty one; the envelope of the modern era is told."""
    meta = meta_of(Raw(json.dumps(text).encode()))
    assert (meta.value, meta.modern) == (value, modern)


def test_same_text_is_read_once() -> None:
    """Two messages with the same text share what it holds, long ones do not."""
    short, long = Raw(b'{"a":1}'), Raw(b'{"a":"%s"}' % (b"x" * SHORT))
    assert meta_of(short) is meta_of(Raw(bytes(short)))
    assert meta_of(long) is not meta_of(long)


def test_members_keep_their_spelling() -> None:
    """1.0 stays 1.0."""
    assert bytes(meta_of(Raw(b'{"progressToken":1.0}')).texts["progressToken"]) == b"1.0"
