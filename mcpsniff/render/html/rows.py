"""The rows of captures as the page's script reads them, up to a cap; how many were left out is kept.

Keys that do not apply to a row are absent. `call` is the request that an answer, a progress or a cancellation belongs
to, `leg` the `input_required` answer that a request goes on from.
"""

from __future__ import annotations

from base64 import b64encode
from codecs import getincrementaldecoder
from collections.abc import Callable, Iterable
from typing import Any

from mcpsniff.analysis import row as kinds
from mcpsniff.analysis.figures.envelope import request_envelope, result_envelope
from mcpsniff.analysis.row import Row
from mcpsniff.capture import records as rec
from mcpsniff.protocol.message import CLIENT, SERVER, Kind, Message

from .exchanges import Exchanges
from .headers import imagined
from .latencies import latencies

ROWS = 50_000  # on one page
TEXT = 1 << 20  # bytes of one payload that are kept
PAYLOADS = 100 << 20  # bytes, of all payloads on one page
ASKING = "elicitation/create"  # what a client puts before its user
SAID = 300  # characters of what is said in words

_decoder = getincrementaldecoder("utf-8")


class PageRows:
    """The rows of the captures of one page, by capture in the order of the report."""

    def __init__(self) -> None:
        self.rows: list[list[dict[str, Any]]] = []
        self.exchanges: list[dict[str, Any]] = []
        self.latencies: list[dict[str, Any]] = []  # of all captures
        self.left_out = 0  # rows
        self._waiting: list[Row] = []
        self._count = self._bytes = 0

    def take(self, rows: Iterable[Row]) -> None:
        """Takes in rows of the capture that is read; what is known of them may still grow."""
        for row in rows:
            if self._count < ROWS and self._bytes < PAYLOADS:
                self._count += 1
                self._bytes += len(row.data)
                self._waiting.append(row)
            else:
                self.left_out += 1

    def end(self) -> None:
        """Notes that the capture was read to its end: what is known of its rows is final."""
        exchanges = Exchanges()
        told = sorted(self._waiting, key=lambda row: row.seq)
        self._waiting = []
        for row in told:
            exchanges.note(row)
        self.rows.append([_values(row) for row in told if not row.folded or row.findings])
        self.exchanges.append(exchanges.result())
        self.latencies += latencies(told)


def _values(row: Row) -> dict[str, Any]:
    values = {
        "seq": row.seq,
        "part": row.part or None,
        "t": row.t,
        "session": None if row.session is None else row.session.key,
        "kind": row.kind,
        "from": row.sender or None,
        "id": row.field("id"),
        "method": row.method,
        "name": row.name,
        "size": row.size,
        "latency": row.latency,
        "call": row.answers if row.answers is not None else row.about,
        "leg": row.retries,
        "x": row.x,
        "era": None if row.session is None else row.era,
        "replayed": row.replayed or None,
        "status": row.status,
        "says": row.detail[:SAID] or None,
        "sse": getattr(row.record, "sse", None),
        "eol": getattr(row.record, "eol", None) if row.x is None else None,
        "findings": [_finding(pin) for pin in row.findings] or None,
        **_payload(row),
        **(_of_message(row, row.message) if row.message is not None else {}),
    }
    return {key: value for key, value in values.items() if value is not None}


def _finding(pin: Any) -> dict[str, Any]:
    return {
        "rule": pin.rule,
        "severity": pin.severity,
        "violator": pin.violator,
        "message": pin.message,
        "where": pin.where,
    }


def _payload(row: Row) -> dict[str, Any]:
    """Gives what was sent, as text where it is UTF-8; of a message that the recorder cut what it kept."""
    clipped = getattr(row.record, "truncated", False)
    data = row.record.data if clipped and isinstance(row.record, rec.Message) else row.data
    if not data and row.kind not in (kinds.NOISE, kinds.STDERR):
        return {"words": row.text if row.text != row.detail else None}
    cut = max(0, len(data) - TEXT)
    try:
        shown = {"text": _decoder("strict").decode(data[:TEXT], final=not cut)}
    except UnicodeDecodeError:
        shown = {"b64": b64encode(data[:TEXT]).decode()}
    return {**shown, "cut": cut or None, "clipped": clipped or None}


def _of_message(row: Row, message: Message) -> dict[str, Any]:
    """Gives what the body of a message says."""
    make = _BODIES.get((message.kind, message.sender))
    framing = max(0, message.size - len(message.raw)) if not (message.truncated or row.part) else 0
    found = {} if make is None or message.truncated else make(row, message)
    return {"framing": framing or None, "headers": imagined(row, message), **found}


def _given(row: Row, message: Message) -> dict[str, Any]:
    """Gives what is to be known of a server's result."""
    result = message.result
    found: dict[str, Any] = {"envelope": result_envelope(message) or None}
    if result.get("resultType") == "input_required":
        requests = result.get("inputRequests")
        asked = [_question(one) for one in requests.values()] if isinstance(requests, dict) else []
        found |= {"outcome": "input_required", "asks": next(filter(None, asked), None)}
    elif result.get("isError") is True:
        found |= {"outcome": "tool_error", "says": _first_text(result)}
    return found


def _question(request: Any) -> str | None:
    """Gives what a question puts before the user; None where it asks the client alone."""
    if not isinstance(request, dict) or request.get("method") != ASKING:
        return None
    params = request.get("params")
    message = params.get("message") if isinstance(params, dict) else None
    return message[:SAID] if isinstance(message, str) else ASKING


def _first_text(result: dict[str, Any]) -> str | None:
    content = result.get("content")
    texts = [one.get("text") for one in content if isinstance(one, dict)] if isinstance(content, list) else []
    return next((text[:SAID] for text in texts if isinstance(text, str)), None)


def _told(row: Row, message: Message) -> dict[str, Any]:
    """Gives what a notification says in a few words."""
    params = message.params
    if message.method == "notifications/progress":
        said = [params.get("progress"), "of" if "total" in params else None, params.get("total"), params.get("message")]
    else:
        said = [params.get("level"), params.get("logger"), params.get("data"), params.get("reason")]
    return {"says": " ".join(str(part)[:SAID] for part in said if part is not None)[:SAID] or None}


_BODIES: dict[tuple[Kind, str], Callable[[Row, Message], dict[str, Any]]] = {
    (Kind.REQUEST, CLIENT): lambda row, message: {"envelope": request_envelope(message) or None},
    (Kind.REQUEST, SERVER): lambda row, message: {"asks": _question({"method": row.method, "params": message.params})},
    (Kind.RESULT, SERVER): _given,
    (Kind.NOTIFICATION, CLIENT): _told,
    (Kind.NOTIFICATION, SERVER): _told,
    (Kind.ERROR, SERVER): lambda row, message: {"code": message.code},
}
