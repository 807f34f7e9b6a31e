"""Which records hold a redacted part of a message: in the message itself, or in a header that repeats the part."""

from __future__ import annotations

from mcpsniff.capture import records as rec
from mcpsniff.protocol.bounded import BoundedDict, Drops
from mcpsniff.wire.redact import MARK, MIRRORS

CAP = 100_000  # records

_MARK = MARK.encode()
_HEADERS = tuple(name for _, name in MIRRORS)


class Hidden:
    """The numbers of these records, in a capture whose header says that there may be some."""

    def __init__(self, header: rec.Capture, drops: Drops) -> None:
        self._expected = any(name.startswith("/") for name in header.redacted or ())  # a JSON Pointer
        self._seqs: BoundedDict[int, None] = BoundedDict("redacted records", CAP, drops)

    def note(self, record: rec.Record) -> None:
        """Takes in the next record."""
        if self._expected and _hides(record):
            self._seqs[record.seq] = None

    def __contains__(self, seq: int) -> bool:
        return seq in self._seqs


def _hides(record: rec.Record) -> bool:
    if isinstance(record, rec.Message):
        return _MARK in record.data
    return isinstance(record, rec.Request) and any(
        name.lower().startswith(_HEADERS) and MARK in value for name, value in record.headers
    )
