"""Which records hold a redacted part of a message: in the message itself, or in a header that repeats the part."""

from __future__ import annotations

from mcpsniff.capture import records as rec
from mcpsniff.protocol.bounded import BoundedDict, Drops
from mcpsniff.wire.redact import MARK, MIRRORS

CAP = 100_000  # records
# What no message can do without, and the versions by which it is known what a server is.
STRUCTURE = ("/params/_meta/", "/result/_meta/", "/result/supportedVersions", "/error/data/supported")

_MARKS = (MARK.encode(), MARK.encode("ascii", "backslashreplace"))  # as written, and as others may spell it in JSON
_HEADERS = tuple(name for _, name in MIRRORS)


class Hidden:
    """The numbers of these records, in a capture whose header says that there may be some.

    `all` says that what messages are made of is hidden (all parameters, the method), or the versions that a server
    names: then there is nothing to judge by.
    """

    def __init__(self, header: rec.Capture, drops: Drops) -> None:
        self._pointers = [name for name in header.redacted or () if name.startswith("/")]
        self.all = any(name.count("/") == 1 for name in self._pointers) or any(map(self.covers, STRUCTURE))
        self.expected = bool(self._pointers)  # there may be some
        self._seqs: BoundedDict[int, None] = BoundedDict("redacted records", CAP, drops)

    def note(self, record: rec.Record) -> None:
        """Takes in the next record."""
        if self.expected and _hides(record):
            self._seqs[record.seq] = None

    def __contains__(self, seq: object) -> bool:
        return seq in self._seqs

    def covers(self, pointer: str) -> bool:
        """Whether what a JSON pointer names is redacted somewhere, wholly or in part.

        In the pointer `*` is any token, and before a last `/` the whole alone counts.
        """
        return any(_meet(pointer, one) for one in self._pointers)


def _meet(pattern: str, pointer: str) -> bool:
    """Whether one names what the other names, or a part of it."""
    return all(one in ("*", other) for one, other in zip(pattern.split("/"), pointer.split("/"), strict=False))


def _hides(record: rec.Record) -> bool:
    if isinstance(record, rec.Message):
        return any(mark in record.data for mark in _MARKS)
    return isinstance(record, rec.Request) and any(
        name.lower().startswith(_HEADERS) and MARK in value for name, value in record.headers
    )
