"""What records say of themselves."""

import binascii

import pytest

from mcpsniff.capture.records import Eof, Stderr, Text, payload_bytes


def test_the_first_byte_came_with_the_last_where_no_t0_stands():
    """`first` is `t0`, or `t` where there is none; zero is a time."""
    assert Eof(seq=1, t=2.0, stream="stdin").first == 2.0
    assert Eof(seq=1, t=2.0, t0=0.0, stream="stdin").first == 0.0


def test_payloads_are_bytes():
    """`raw` is UTF-8, `b64` base64; without either there is nothing."""
    assert Text(seq=1, t=0, sender="server", size=3, raw="é").data == b"\xc3\xa9"
    assert Stderr(seq=1, t=0, size=3, b64="//4=").data == b"\xff\xfe"
    assert Stderr(seq=1, t=0, size=3).data == b""
    with pytest.raises(binascii.Error):
        payload_bytes(None, "?")
