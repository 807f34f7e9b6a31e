"""HAR 1.2 files, as browsers and mitmproxy write them → exchanges of the past.

Bodies are decoded in a HAR and sizes on the wire not to be relied on; events have times only where the browser has
kept them (`_eventSourceMessages`). Browsers cut the start of an exchange to the millisecond.
"""

import json
import re
from base64 import b64decode
from collections.abc import Sequence
from datetime import UTC, datetime
from itertools import accumulate
from typing import Any
from urllib.parse import urlencode

from mcpsniff.capture.heads import Headers, RequestHead, ResponseHead, media_type, value
from mcpsniff.capture.importers.past import Archive, Past, Piece
from mcpsniff.errors import McpsniffError
from mcpsniff.wire.sse import SseFramer

VERSION = "1.2"
FORMAT = f"HAR {VERSION}"
_MILLISECOND = 1e-3  # seconds
_HTTP = {"http/1.0": "1.0", "http/1.1": "1.1", "http/2": "2", "http/2.0": "2", "h2": "2", "http/3": "3", "h3": "3"}
_FINER = re.compile(r"\.\d{4}")
_TRANSFER = ("send", "wait", "receive")  # milliseconds each
_PHASES = ("blocked", "dns", "connect", *_TRANSFER)  # of browsers; `ssl` is part of `connect`
_PROXY = "mitmproxy"  # which connects while the request waits, and whose sizes of heads are no wire's
_BODYLESS = (204, 304)
_ABORTED = ("net::ERR_ABORTED", "NS_BINDING_ABORTED")  # the page gave up

Entry = dict[str, Any]


def read(path: str) -> Archive:
    """The exchanges of a HAR file; raises McpsniffError where it is none, or of another version."""
    log = _log(path)
    creator = log.get("creator")
    archive = Archive(file=path, format=FORMAT)
    if isinstance(creator, dict):
        archive.creator = " ".join(str(creator[key]) for key in ("name", "version") if creator.get(key))
    for number, entry in enumerate(log["entries"], 1):
        try:
            _take(entry, archive)
        except (ArithmeticError, AttributeError, KeyError, TypeError, ValueError) as error:
            why = f"{type(error).__name__}: {error}"
            raise McpsniffError(f"{path}: entry {number} of the HAR is not as HAR {VERSION} has it ({why}).") from None
    return archive


def _log(path: str) -> dict[str, Any]:
    """The `log` of a HAR file."""
    try:
        with open(path, "rb") as file:
            document = json.loads(file.read().decode("utf-8-sig"))
    except OSError as error:
        raise McpsniffError(f"{path} cannot be read: {error.strerror}.") from None
    except (ValueError, RecursionError) as error:
        raise McpsniffError(f"{path} is damaged, or no HAR: it is not JSON ({error}); export it again.") from None
    log = document.get("log") if isinstance(document, dict) else None
    if not isinstance(log, dict) or not isinstance(log.get("entries"), list):
        raise McpsniffError(f"{path} is no HAR: there is no log with entries in it.")
    if log.get("version") != VERSION:
        version = log.get("version")
        raise McpsniffError(f"{path} is HAR {version}, and only {VERSION} can be imported: export it as that.")
    return log


def _take(entry: Entry, archive: Archive) -> None:
    url = entry["request"]["url"]
    socket = entry.get("_resourceType") == "websocket" or "_webSocketMessages" in entry
    if socket or url.startswith(("ws:", "wss:")) or entry["response"]["status"] == 101:
        archive.websockets += 1
    else:
        past = _past(entry, browser=not (archive.creator or "").startswith(_PROXY))
        past.check()
        archive.exchanges.append(past)


def _past(entry: Entry, browser: bool) -> Past:
    """One exchange; `browser` says that a browser has seen it."""
    request, response = entry["request"], entry["response"]
    asked, sent, answered, ended = _moments(entry, _PHASES if browser else _TRANSFER)
    past = Past(
        conn=str(entry["connection"]) if entry.get("connection") else None,
        client=None,
        asked=asked,
        request=RequestHead(_text(request["method"]), _text(request["url"]), *_head(request, browser)),
        sent=sent,
        body=_request_body(request),
        answered=answered,
        ended=ended,
    )
    error = entry.get("_error") or response.get("_error")
    if error:
        past.by, past.why = ("client", "closed") if error in _ABORTED else ("error", "unknown")
        past.error = str(error)
    status = response["status"]
    if status:
        past.response, past.decoded = ResponseHead(_number(status), *_head(response, browser)), True
        _take_body(entry, past, past.response)
    elif not error:
        past.by, past.why = "error", "unknown"
    return past


def _take_body(entry: Entry, past: Past, head: ResponseHead) -> None:
    """Takes the response's body, of an event stream with the times of its events where they are there."""
    body = _response_body(entry, head)
    if media_type(head.headers) != "text/event-stream":
        past.pieces = None if body is None else [(past.ended, body)]
        return
    if past.error is None:
        past.by, past.why = "open", "unknown"  # that the page has read no further may have many reasons
    if events := entry.get("_eventSourceMessages"):
        past.pieces = _timed(events, body or b"", past.ended)
        past.ended = max(at for at, _ in past.pieces)
    elif body:
        past.pieces, past.untimed = [(past.ended, body)], True
    else:  # browsers leave it out while it is open, and after
        past.pieces = None


def _timed(events: Sequence[Entry], body: bytes, ended: float) -> list[Piece]:
    """The events with their times: as they were sent, where the body has them all, with what stood between them."""
    cuts, end, waiting = [], 0, iter(events)
    wanted = next(waiting, None)
    for block in SseFramer().feed(body, 0.0):
        end += block.size
        if wanted is not None and block.data == _bytes(wanted["data"]):
            cuts.append((float(wanted["time"]), end))
            wanted = next(waiting, None)
    if wanted is not None:
        return [(float(event["time"]), _spelled(event)) for event in events]
    starts = [0, *(end for _, end in cuts)]
    pieces = [(at, body[start:end]) for start, (at, end) in zip(starts, cuts, strict=False)]
    return [*pieces, (max(ended, pieces[-1][0]), body[starts[-1] :])]


def _spelled(event: Entry) -> bytes:
    """An event as it may have been sent."""
    name, id_ = event.get("eventName"), event.get("eventId")
    lines = [f"event: {name}"] if name and name != "message" else []
    lines += [f"id: {id_}"] if id_ else []
    lines += [f"data: {line}" for line in re.split(r"\r\n|\r|\n", event["data"])]
    return _bytes("\n".join([*lines, "", ""]))


def _moments(entry: Entry, phases: Sequence[str]) -> tuple[float, float, float, float]:
    """When the request was there, with its body, when the answer began and ended; seconds since the epoch."""
    text = entry["startedDateTime"]
    start = datetime.fromisoformat(text)
    began = (start if start.tzinfo else start.replace(tzinfo=UTC)).timestamp()
    timings = entry.get("timings") or {}
    spans = [max(timings.get(phase) or 0, 0) / 1000 for phase in phases]
    connected, sent, answered, ended = list(accumulate(spans, initial=began))[-4:]
    # What was cut off is added, or the answer to a request would seem to come after what the client said to it.
    return connected + (0 if _FINER.search(text) else _MILLISECOND), sent, answered, ended


def _request_body(request: Entry) -> bytes | None:
    """The body; None where it is not held."""
    data = request.get("postData")
    if isinstance(data, dict):
        if isinstance(data.get("text"), str):
            return b64decode(data["text"]) if data.get("encoding") == "base64" else _bytes(data["text"])
        if data.get("params"):
            return urlencode([(one["name"], one.get("value") or "") for one in data["params"]]).encode()
    return None if (request.get("bodySize") or 0) > 0 else b""


def _response_body(entry: Entry, head: ResponseHead) -> bytes | None:
    """The decoded body; None where it is not held."""
    content = entry["response"].get("content") or {}
    text = content.get("text")
    if isinstance(text, str) and text:
        return b64decode(text) if content.get("encoding") == "base64" else _bytes(text)
    bodyless = entry["request"]["method"] == "HEAD" or head.status in _BODYLESS
    announced = value(head.headers, "content-length")
    held = bodyless or ((content.get("size") or 0) <= 0 and announced in ("", "0"))
    return b"" if held else None


def _head(message: Entry, browser: bool) -> tuple[str | None, Headers, int | None]:
    """Version, headers and size of a head; pseudo headers of HTTP/2 are part of the request line and the status."""
    pairs = [(_text(one["name"]), _text(one["value"])) for one in message["headers"]]
    headers = [(name, value) for name, value in pairs if not name.startswith(":")]
    size = message.get("headersSize") if browser else None
    version = _HTTP.get(str(message.get("httpVersion")).lower())
    return version, headers, size if isinstance(size, int) and size > 0 else None


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r:.40} is no text")
    return value


def _number(value: Any) -> int:
    if type(value) is not int:
        raise TypeError(f"{value!r:.40} is no number")
    return value
