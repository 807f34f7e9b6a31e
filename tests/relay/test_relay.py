"""The words for what a recorder keeps: understood wholly, or refused in one sentence."""

import pytest

from mcpsniff.relay import Keeping, number, size


@pytest.mark.parametrize(
    ("text", "bytes_"), [("0", 0), ("4096", 4096), ("64k", 65536), ("64K", 65536), ("2M", 2097152), ("1g", 1 << 30)]
)
def test_sizes(text, bytes_):
    """A size is digits with at most one unit behind them."""
    assert size(text) == bytes_


@pytest.mark.parametrize("text", ["", "k", "-1", "1.5M", "1MB", "٣", "1 k", "0x10"])
def test_what_is_no_size(text):
    """Anything else is refused in one sentence that names it."""
    with pytest.raises(ValueError, match="is no size: digits, then k, M or G"):
        size(text)


@pytest.mark.parametrize("text", ["", "0", "-1", "1.5", "1k", "٣"])
def test_what_is_no_number(text):
    """Seconds and counts are whole and positive."""
    assert number("12") == 12
    with pytest.raises(ValueError, match="is no number: digits, 1 or more"):
        number(text)


def test_nothing_is_limited_unless_asked_for():
    """64 MiB of a payload are kept, in one file that is left as it is; 0 is no limit."""
    keeping = Keeping()
    assert keeping.snaplen == 64 << 20
    assert {getattr(keeping, name) for name in Keeping.__slots__ if name != "snaplen"} == {None, False}
    assert (Keeping(snaplen="0").snaplen, Keeping(part_size="0").part_size) == (None, None)


@pytest.mark.parametrize("other", [{}, {"part_size": "0"}, {"compress": "gzip"}])
def test_a_ring_needs_a_rotation(other):
    """How many files are kept means nothing where there is one."""
    with pytest.raises(ValueError, match="give a size or seconds"):
        Keeping(parts="3", **other)


def test_only_known_packers():
    """The name is said back."""
    with pytest.raises(ValueError, match="'brotli' packs nothing: gzip or zstd"):
        Keeping(compress="brotli")
