"""Wrong encodings: what they are called, and which message was meant."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcpsniff.protocol.encoding import encoding_fault, first_bad_byte, looks_like_json, recover

TEXT = '{"jsonrpc":"2.0","id":1,"result":{"text":"café"}}'
PLAIN = '{"jsonrpc":"2.0","id":1,"result":{}}'


@pytest.mark.parametrize(
    ("data", "fault"),
    [
        (TEXT.encode(), None),
        (b"", None),
        (b'{"a":"\\ud800"}', None),
        (TEXT.encode("latin-1"), "not UTF-8"),
        (b"\xed\xa0\xbd", "not UTF-8"),
        (b"\xef\xbb\xbf" + PLAIN.encode(), "byte order mark"),
        (PLAIN.encode("utf-16"), "UTF-16"),
        (PLAIN.encode("utf-16-le"), "UTF-16"),
        (PLAIN.encode("utf-16-be"), "UTF-16"),
        (PLAIN.encode("utf-32-le"), "UTF-16"),
    ],
)
def test_fault(data, fault):
    """Each encoding is told by its bytes."""
    assert encoding_fault(data) == fault


@pytest.mark.parametrize(
    ("data", "recovered"),
    [
        (TEXT.encode("latin-1"), TEXT.replace("é", "\ufffd").encode()),
        (b"\xef\xbb\xbf" + PLAIN.encode(), PLAIN.encode()),
        (PLAIN.encode("utf-16"), PLAIN.encode()),
        (PLAIN.encode(), None),  # nothing to recover
        ("Démarrage".encode("latin-1"), None),
        (b'{"jsonrpc":"2.0","id":\xff', None),
    ],
)
def test_recover(data, recovered):
    """A message is read in spite of its encoding; noise stays noise."""
    assert recover(data) == recovered


@pytest.mark.parametrize(
    ("data", "verdict"),
    [(b' {"a', True), (b"[{", True), (b"[", True), (b"[info] up", False), (b"{", True), (b"", False), (b"1", False)],
)
def test_looks_like_json(data, verdict):
    """A brace opens a message, a bracket only where an object may follow."""
    assert looks_like_json(data) is verdict


@given(st.binary())
def test_never_raises(data):
    """Any bytes have an answer, and the first bad byte is where decoding stops."""
    encoding_fault(data), recover(data), looks_like_json(data)
    offset = first_bad_byte(data)
    assert data[:offset].decode() is not None
