"""What a row carried, below its line: the HTTP head that brought it, then its body, indented for people.

A head is shown once, with the first row that it brought. Numbers, escapes and the order of members stay as sent.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from contextlib import suppress
from http import HTTPStatus

import msgspec

from mcpsniff.analysis.row import Row
from mcpsniff.capture import records as rec
from mcpsniff.wire.visible import visible

from .paint import QUIET, painted

INDENT = " " * 6
HEADS_KEPT = 1_000  # heads that are remembered as shown
_REASONS = {status.value: status.phrase for status in HTTPStatus}


class Exchanges:
    """Shows heads and bodies of one capture."""

    def __init__(self, *, colour: bool) -> None:
        self._colour = colour
        self._shown: OrderedDict[tuple[str, str], None] = OrderedDict()

    def of(self, row: Row) -> Iterator[str]:
        """Gives the lines below that of a row, an empty one at the end."""
        if row.head is not None and self._is_new(row.head):
            for line in _head(row.head):
                yield INDENT + painted(visible(line), QUIET, self._colour)
        for line in _body(row):
            yield INDENT + visible(line)
        yield ""

    def _is_new(self, head: rec.Request | rec.Response) -> bool:
        key = (head.x, type(head).__name__)
        if key in self._shown:
            return False
        self._shown[key] = None
        if len(self._shown) > HEADS_KEPT:
            self._shown.popitem(last=False)
        return True


def _head(head: rec.Request | rec.Response) -> Iterator[str]:
    version = f"HTTP/{head.http}" if head.http else "HTTP"
    if isinstance(head, rec.Request):
        yield f"{head.method} {head.url} {version}"
    else:
        yield f"{version} {head.status} {_REASONS.get(head.status, '')}".rstrip()
    for name, value in head.headers:
        yield f"{name}: {value}"


def _body(row: Row) -> list[str]:
    """Gives the lines of a body: JSON indented, text as it is; nothing for what its own line tells."""
    data = row.data
    if row.message is not None and not row.message.truncated:
        with suppress(msgspec.DecodeError, RecursionError):  # JSON that msgspec cannot read stays as it was sent
            data = msgspec.json.format(data, indent=2)
    return data.decode("utf-8", "backslashreplace").split("\n") if data else []
