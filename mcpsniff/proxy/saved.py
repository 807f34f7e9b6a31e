"""Flow files of mitmproxy (11 and 12) → exchanges of the past.

With the timeline that our addon leaves on a flow they are as they were captured. Without it the moments of heads and
ends are mitmproxy's own, those of events are unknown, and so is who closed what mitmproxy only calls disconnected.
"""

from collections.abc import Iterator
from typing import Any

from mitmproxy import flow, http
from mitmproxy.io import FlowReader

from mcpsniff.capture.heads import as_text, media_type, value
from mcpsniff.capture.importers.past import Archive, Past
from mcpsniff.errors import McpsniffError
from mcpsniff.proxy import timeline
from mcpsniff.proxy.flows import request_head, response_head
from mcpsniff.proxy.heading import REVERSE
from mcpsniff.wire.decoding import decoder

FORMAT = "mitmproxy flows"
_NEWER = "flow format version"  # in the words with which mitmproxy refuses a file of a later one


def read(path: str) -> Archive:
    """The exchanges of a flow file, up to where it is damaged; raises McpsniffError where there are none to be had."""
    archive = Archive(file=path, format=FORMAT)
    try:
        with open(path, "rb") as file:
            for number, one in enumerate(_flows(file, archive), 1):
                try:
                    _take(one, archive)
                except (AttributeError, TypeError, ValueError) as error:
                    archive.damage = f"holds a damaged flow, number {number} ({error})"
    except OSError as error:
        raise McpsniffError(f"{path} cannot be read: {error.strerror}.") from None
    return archive


def _flows(file: Any, archive: Archive) -> Iterator[flow.Flow]:
    read = 0
    try:
        for one in FlowReader(file).stream():
            read += 1
            yield one
    except Exception as error:  # of damaged data mitmproxy lets all kinds through
        if _NEWER in str(error):
            raise McpsniffError(f"{archive.file} is of a later mitmproxy than the one installed: update it.") from None
        if not read:
            raise McpsniffError(
                f"{archive.file} is no flow file that mitmproxy can read: it is damaged before its first flow ends."
            ) from None
        archive.damage = f"breaks off, or is damaged, after {read} flows"


def _take(one: flow.Flow, archive: Archive) -> None:
    if not isinstance(one, http.HTTPFlow):
        archive.foreign += 1
    elif one.websocket is not None:
        archive.websockets += 1
    else:
        mode = one.client_conn.proxy_mode.full_spec
        archive.host_rewritten = archive.host_rewritten or mode.startswith(REVERSE)
        told = timeline.of(one)
        past = _told(one, *told) if told is not None else _untold(one)
        past.check()
        archive.exchanges.append(past)


def _told(one: http.HTTPFlow, times: timeline.Timeline, by: str, why: str) -> Past:
    """An exchange with its timeline."""
    past = _past(one, asked=times.asked, ended=times.ended)
    past.sent, past.by, past.why = times.sent, by, why
    if one.response is not None:
        past.answered = times.ended if times.answered is None else times.answered
        known, body = timeline.pieces(one), one.response.raw_content
        if known is not None and body is not None:
            past.pieces = list(_cut(body, known))
        else:  # it was not streamed, or came in more pieces than were noted
            _untime(past)
    return past


def _cut(body: bytes, pieces: timeline.Pieces) -> Iterator[tuple[float, bytes]]:
    done = 0
    for at, size in pieces:
        yield at, body[done : done + int(size)]
        done += int(size)


def _untold(one: http.HTTPFlow) -> Past:
    """An exchange that our addon has not seen."""
    request, response = one.request, one.response
    past = _past(one, asked=request.timestamp_start, ended=_last(one))
    past.sent = request.timestamp_end
    if response is not None:
        past.answered = response.timestamp_start
        _untime(past)
    if one.error is not None:
        past.by, past.why, past.error = "open", "unknown", one.error.msg
        if response is None and one.server_conn.timestamp_tcp_setup is None:
            past.by, past.why = "proxy", "upstream"
    elif response is None or response.timestamp_end is None:
        past.by, past.why = "open", "shutdown"
    return past


def _past(one: http.HTTPFlow, asked: float, ended: float) -> Past:
    """What does not depend on the timeline."""
    request, response = one.request, one.response
    past = Past(
        conn=one.client_conn.id,
        client=(one.client_conn.peername or (None,))[0],
        asked=asked,
        request=request_head(request),
        body=request.raw_content,
        ended=ended,
        error=one.error.msg if one.error is not None else None,
    )
    if request.trailers:
        past.request_trailers = as_text(request.trailers.fields)
    if response is not None:
        past.response = response_head(response)
        past.pieces = None if response.raw_content is None else [(ended, response.raw_content)]
        if response.trailers:
            past.trailers = as_text(response.trailers.fields)
    return past


def _untime(past: Past) -> None:
    """Marks an event stream as one of which the body alone is known, and decodes it, so that it can be cut."""
    if past.response is None or media_type(past.response.headers) != "text/event-stream":
        return
    past.untimed = True
    decoding = decoder(value(past.response.headers, "content-encoding"))
    if decoding is not None and past.pieces:
        body = decoding.feed(past.pieces[0][1])
        if not decoding.failed:
            past.pieces, past.decoded = [(past.ended, body)], True


def _last(one: http.HTTPFlow) -> float:
    """The last moment that mitmproxy has noted of a flow, seconds since the epoch."""
    times = [one.request.timestamp_start, one.request.timestamp_end]
    if one.response is not None:
        times += [one.response.timestamp_start, one.response.timestamp_end]
    if one.error is not None:
        times.append(one.error.timestamp)
    return max(at for at in times if at is not None)
