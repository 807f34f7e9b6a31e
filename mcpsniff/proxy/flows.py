"""What the addon knows of a connection and of a flow that is not over, and the heads that it reads off a flow."""

from mitmproxy import http
from mitmproxy.net.http.http1.assemble import assemble_request_head, assemble_response_head

from mcpsniff.capture.exchange import Exchange
from mcpsniff.capture.heads import RequestHead, ResponseHead, as_text
from mcpsniff.proxy import timeline
from mcpsniff.proxy.streamed import Streamed


class Connection:
    """A client connection, and what its exchanges need to know of it."""

    def __init__(self, name: str) -> None:
        self.name = name  # in the capture
        self.active = 0.0  # when something last passed on it, seconds
        self.unreached: str | None = None  # why the server could not be reached for it, just now


class Live:
    """A flow that is not over, with what the engine knows of its exchange."""

    def __init__(self, flow: http.HTTPFlow, exchange: Exchange, conn: Connection) -> None:
        self.flow = flow
        self.exchange = exchange
        self.conn = conn
        self.upload: list[bytes] | None = None  # pieces of the request's body, where it is streamed
        self.uploading: Streamed | None = None  # what hears them
        self.streamed: Streamed | None = None  # where the response's body comes piece by piece
        self.seen: dict[str, float] = {}  # when, by the names of `timeline.Timeline`, seconds

    def conclude(self, began: float, t: float, by: str, why: str) -> None:
        """Leaves on the flow its bodies and when what was seen, for mitmproxy to show and save.

        `began` is when the capture did, seconds since the epoch, `t` when the exchange ended, since then; `by` and
        `why` are those of the close record.
        """
        flow = self.flow
        if self.uploading is not None:
            self.uploading.restore(flow.request)
        if self.streamed is not None:
            self.streamed.restore_response(flow, began)
        if self.seen:
            times = {what: began + at for what, at in self.seen.items()}
            timeline.leave(flow, timeline.Timeline(**times, ended=began + t), by, why)


def request_head(request: http.Request) -> RequestHead:
    """The head of a request, with its size in HTTP/1 spelling."""
    size = len(assemble_request_head(request))
    return RequestHead(request.method, request.url, _version(request), as_text(request.headers.fields), size)


def response_head(response: http.Response) -> ResponseHead:
    """The head of a response, likewise."""
    size = len(assemble_response_head(response))
    return ResponseHead(response.status_code, _version(response), as_text(response.headers.fields), size)


def has_events(message: http.Message) -> bool:
    """Whether a body is an event stream."""
    return "text/event-stream" in message.headers.get("content-type", "").lower()


def _version(message: http.Message) -> str:
    return message.http_version.removeprefix("HTTP/").removesuffix(".0")
