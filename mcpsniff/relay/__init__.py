"""What `wrap` and `proxy` share: a forked recorder, the channel to it, and what it is asked to keep.

Like `wrap`, it imports at top level only what bare Python has loaded already. POSIX only.
"""

from _collections_abc import Callable  # what collections.abc is made of, and loaded already

PACKERS = ("gzip", "zstd")  # of finished files
_UNITS = {"k": 1 << 10, "m": 1 << 20, "g": 1 << 30}


class Keeping:
    """What a recorder keeps, and in which files; made of the words that the user gave.

    Sizes in bytes, None for no limit. ValueError says what is wrong with a word.
    """

    __slots__ = ("compress", "part_seconds", "part_size", "parts", "snaplen", "sync")

    def __init__(
        self,
        *,
        snaplen: str = "64M",
        part_size: str | None = None,
        part_seconds: str | None = None,
        parts: str | None = None,
        sync: bool = False,
        compress: str | None = None,
    ):
        self.snaplen = _word("snaplen", size, snaplen) or None
        self.part_size = _word("part size", size, part_size) or None
        self.part_seconds = _word("part seconds", number, part_seconds)
        self.parts = _word("parts", number, parts)
        self.sync = sync
        self.compress = compress
        if self.parts is not None and self.part_size is None and self.part_seconds is None:
            raise ValueError("the newest files can be kept where new ones begin: give a size or seconds for that")
        if compress not in (None, *PACKERS):
            raise ValueError(f"{compress!r} packs nothing: gzip or zstd")


def _word(what: str, read: Callable[[str], int], text: str | None) -> int | None:
    """What a word means; None for no word. ValueError names what was asked for."""
    if text is None:
        return None
    try:
        return read(text)
    except ValueError as error:
        raise ValueError(f"{what} {error}") from None


def size(text: str) -> int:
    """The bytes that "4096", "64k", "64M" or "1G" name; ValueError says what is wrong with anything else."""
    digits, unit = (text[:-1], _UNITS[text[-1:].lower()]) if text[-1:].lower() in _UNITS else (text, 1)
    if not (digits.isascii() and digits.isdigit()):
        raise ValueError(f"{text!r} is no size: digits, then k, M or G")
    return int(digits) * unit


def number(text: str) -> int:
    """The number that "1", "12" and so on name; ValueError says what is wrong with anything else."""
    if not (text.isascii() and text.isdigit()) or int(text) == 0:
        raise ValueError(f"{text!r} is no number: digits, 1 or more")
    return int(text)
