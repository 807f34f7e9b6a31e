"""JSON text, however odd."""

import pytest

from mcpsniff.protocol.jsonvalue import decode, raw_members


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (b'{"a":[1,"b"]}', {"a": [1, "b"]}),
        (b'"\\ud800"', "\ud800"),
        (b"123456789012345678901234567890", 123456789012345678901234567890),
        (b"[" * 100_000 + b"]" * 100_000, None),
    ],
)
def test_decode(text: bytes, value: object) -> None:
    """Lone surrogates and long integers have their value, what nests without end has none."""
    assert decode(text) == value


@pytest.mark.parametrize(
    ("text", "members"),
    [
        (b'{"a": 1.0 ,"b":{"c":"d"}}', {"a": b"1.0", "b": b'{"c":"d"}'}),
        (b'{"\\ud800":1e5}', {"\ud800": b"100000.0"}),
        (b"[1]", {}),
        (b"5", {}),
    ],
)
def test_members_keep_their_spelling(text: bytes, members: dict[str, bytes]) -> None:
    """Each member is as it was sent, but where only the standard parser reads its name."""
    assert {name: bytes(raw) for name, raw in raw_members(text).items()} == members
