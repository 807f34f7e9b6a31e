"""The heads of the HTTP exchanges of one capture, for the page: what came before and after the bodies that it shows."""

from __future__ import annotations

from typing import Any

from mcpsniff.analysis.row import Row
from mcpsniff.capture import records as rec
from mcpsniff.protocol.exchange import HttpExchange


class Exchanges:
    """Collects them from rows."""

    def __init__(self) -> None:
        self._seen: dict[str, HttpExchange] = {}
        self._http: dict[str, str | None] = {}

    def note(self, row: Row) -> None:
        """Notes the exchange of a row, where it has one."""
        if row.x is None or row.exchange is None:
            return
        self._seen[row.x] = row.exchange
        if isinstance(row.record, rec.Request):
            self._http[row.x] = row.record.http

    def result(self) -> dict[str, Any]:
        """Gives them by their `x`; what was not seen is None."""
        return {x: _values(exchange, self._http.get(x)) for x, exchange in self._seen.items()}


def _values(exchange: HttpExchange, http: str | None) -> dict[str, Any]:
    closed = (exchange.closed_by, exchange.closed_why, exchange.error)
    return {
        "method": exchange.method,
        "url": exchange.url,
        "http": http,
        "headers": exchange.headers,
        "status": exchange.status,
        "reply_headers": exchange.reply_headers,
        "heads": (exchange.request_head or 0) + (exchange.reply_head or 0),
        "closed": "closed by {}, {} {}".format(*(part or "" for part in closed)).strip() if closed[0] else None,
    }
