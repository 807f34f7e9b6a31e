"""One HTTP exchange as an observer saw it: request line, headers, messages, stream, close.

Filled by the engine from the records of one `x`; rules only read it. Knows no transport rules and no eras.
"""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import SplitResult, parse_qsl, urljoin, urlsplit

from .ids import Key
from .message import Kind, Message

Headers = list[tuple[str, str]]

# Statuses with which a transport turns a body away before anybody reads its messages; also 3xx and 5xx (trap T8).
REFUSALS = frozenset({401, 403, 404, 405, 406, 409, 413, 415, 429})


_WITH_PORT = re.compile(r"(\[.*\]|[^:]*):\d+")


def header(headers: Headers, name: str) -> str | None:
    """Gives the value of a header without the white space around it; repeats are joined by ", " (RFC 9110 5.3)."""
    values = header_values(headers, name)
    return ", ".join(values) if values else None


def header_values(headers: Headers, name: str) -> list[str]:
    """Gives every value of a header, in order; names compare without case."""
    name = name.lower()
    return [value.strip(" \t") for key, value in headers if key.lower() == name]


def split_url(url: str) -> SplitResult:
    """Gives the parts of a URL; one that is none is a path and nothing else."""
    try:
        return urlsplit(url)
    except ValueError:
        return SplitResult("", "", url, "", "")


def joined_url(base: str, reference: str) -> str:
    """Gives the URL that a reference names as seen from `base`; the reference itself where that is none."""
    try:
        return urljoin(base, reference)
    except ValueError:
        return reference


def origin_of(url: str) -> str:
    """Gives scheme and authority of a URL in lower case, without the port that the scheme implies."""
    parts = split_url(url)
    scheme, netloc = parts.scheme.lower(), parts.netloc.lower()
    default = {"http": ":80", "https": ":443"}.get(scheme)
    return f"{scheme}://{netloc.removesuffix(default) if default else netloc}"


def endpoint_of(url: str) -> str:
    """Gives a URL without query, fragment and the slash at its end, by which redirects often differ."""
    parts = split_url(url)
    return f"{parts.scheme}://{parts.netloc}".lower() + parts.path.rstrip("/")


class HttpExchange:
    """One request and its response; times are seconds on the capture's clock, sizes bytes."""

    __slots__ = (
        "address",
        "answered",
        "body",
        "body_size",
        "calls",
        "closed_at",
        "closed_by",
        "closed_seq",
        "closed_why",
        "conn",
        "error",
        "final",
        "headers",
        "mark",
        "messages",
        "method",
        "opened_at",
        "reply_at",
        "reply_head",
        "reply_headers",
        "reply_messages",
        "reply_seq",
        "request_body",
        "request_head",
        "seq",
        "session",
        "status",
        "stream",
        "texts",
        "untimed",
        "url",
        "x",
    )

    def __init__(self, x: str, seq: int, at: float, method: str, url: str, headers: Headers) -> None:
        self.x = x
        self.seq = seq  # of the request record
        self.opened_at = at
        self.method = method
        self.url = url
        self.headers = headers
        self.conn = ""
        self.address = ""
        self.request_head: int | None = None  # bytes
        self.request_body: int | None = None  # bytes
        self.messages: list[Message] = []  # of the request body
        self.status: int | None = None
        self.reply_headers: Headers = []
        self.reply_seq: int | None = None
        self.reply_at: float | None = None
        self.reply_head: int | None = None  # bytes
        self.reply_messages = 0  # messages in the response, batch elements counted singly
        self.final: Message | None = None  # the last result or error of the response
        self.body: Message | None = None  # JSON of the response, where it is no MCP or has an error status
        self.texts: list[tuple[str, int, str]] = []  # (sender, seq, text) of bodies that are no message, at most 4
        self.calls: dict[Key, Any] = {}  # id → Call, of the requests in the body
        self.answered = 0  # how many of them have their answer here
        self.closed_by: str | None = None
        self.closed_why: str | None = None
        self.closed_seq: int | None = None
        self.closed_at: float | None = None
        self.error: str | None = None
        self.body_size: int | None = None
        self.mark: Any = None  # era mark
        self.session: Any = None
        self.untimed = False  # it is not known when the events of the response came (imports)
        self.stream: Any = None  # the Stream of an SSE response, or of a GET that asks to resume one

    def header(self, name: str) -> str | None:
        """The request header's value, or None."""
        return header(self.headers, name)

    def reply_header(self, name: str) -> str | None:
        """The response header's value, or None."""
        return header(self.reply_headers, name)

    @property
    def broken_off(self) -> bool:
        """Whether the capture ends between the head of a POST and its body."""
        return self.method == "POST" and self.closed_seq is None and not (self.messages or self.texts)

    @property
    def host(self) -> str:
        """The client's address without its port."""
        with_port = _WITH_PORT.fullmatch(self.address)
        return with_port[1] if with_port else self.address

    @property
    def peer(self) -> str:
        """The client's host and User-Agent: who it is where nothing identifies it."""
        return f"{self.host} {self.header('user-agent')}"

    @property
    def endpoint(self) -> str:
        """The URL without query and fragment: what one server answers under."""
        return endpoint_of(self.url)

    @property
    def query(self) -> list[tuple[str, str]]:
        return parse_qsl(split_url(self.url).query, keep_blank_values=True)

    @property
    def version(self) -> str | None:
        """The MCP-Protocol-Version of the request."""
        return self.header("mcp-protocol-version")

    @property
    def media_type(self) -> str | None:
        """The response's content type without parameters, in lower case."""
        value = self.reply_header("content-type")
        return None if value is None else value.partition(";")[0].strip().lower()

    @property
    def is_stream(self) -> bool:
        """Whether the response is an SSE stream."""
        return self.media_type == "text/event-stream"

    @property
    def succeeded(self) -> bool:
        """Whether the response has a status of success."""
        return self.status is not None and 200 <= self.status < 300

    @property
    def accepts_stream(self) -> bool:
        """Whether the request's Accept header names text/event-stream."""
        return "text/event-stream" in (self.header("accept") or "").lower()

    @property
    def identified(self) -> bool:
        """Whether the request says whose it is: a session id or credentials."""
        return self.header("mcp-session-id") is not None or self.header("authorization") is not None

    @property
    def parts(self) -> list[Message]:
        """The messages of the request body, the elements of a batch singly."""
        return [part for message in self.messages for part in message.parts]

    @property
    def requests(self) -> list[Message]:
        """The requests in the body."""
        return [part for part in self.parts if part.kind is Kind.REQUEST]

    @property
    def ended(self) -> bool:
        """Whether one of the two sides ended it; not the proxy, a broken network or the end of the capture."""
        return self.closed_by in ("client", "server")

    def time_of(self, seq: int) -> float:
        """Gives the seconds of one of its own records."""
        times = {self.reply_seq: self.reply_at, self.closed_seq: self.closed_at}
        return times.get(seq) or self.opened_at

    @property
    def refused(self) -> bool:
        """Whether the transport refused the body, so that its messages were not processed (trap T8)."""
        status = self.status
        return status is not None and (300 <= status < 400 or status in REFUSALS or status >= 500)

    @property
    def redirect(self) -> str | None:
        """The URL to which the response sends the client, or None."""
        location = self.reply_header("location")
        moved = self.status is not None and 300 <= self.status < 400 and location is not None
        return joined_url(self.url, location or "") if moved else None

    @property
    def failed(self) -> bool:
        """Whether the response has an HTTP error status."""
        return self.status is not None and self.status >= 400
