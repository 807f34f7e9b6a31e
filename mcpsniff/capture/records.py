"""One Struct per record type, as the reader gives them; the field table of the writer is `fields`.

A record is made a million times: no garbage collector, no checks beyond the types. Fields that a capture left out have
their default. `line` and `data` are not in the file: the reader sets them.
"""

from __future__ import annotations

from base64 import b64decode
from typing import Annotated, Any, Literal, TypeAlias

from msgspec import UNSET, Meta, Raw, Struct, UnsetType, field
from msgspec.json import Decoder

Header: TypeAlias = tuple[str, str]  # name, value
LATEST = 1e12  # seconds: 1e999 is JSON, and no time
Seconds: TypeAlias = Annotated[float, Meta(ge=-LATEST, le=LATEST)]


class Record(Struct, tag_field="type", gc=False, kw_only=True):
    """What every record has."""

    seq: int  # order of observation over all streams, from 0
    t: Seconds  # since the header's `started`, monotonic, last byte read
    t0: Seconds | None = None  # seconds, first byte read; None where it is `t`
    line: int = field(default=0, name="(line)")  # line of the file, from 1

    @property
    def first(self) -> float:
        """Seconds, when the first byte was read."""
        return self.t if self.t0 is None else self.t0


class Capture(Record, tag="capture", gc=False, kw_only=True):
    """The header. Samples and foreign captures leave out what they do not know."""

    seq: int = 0
    t: float = 0.0
    format: str = ""
    version: int = 1
    id: str = ""
    started: str | None = None  # RFC 3339, UTC
    tool: str | None = None
    transport: str | None = None  # "stdio" or "http"
    command: list[str] | None = None
    cwd: str | None = None
    pid: int | None = None
    platform: str | None = None
    upstream: str | None = None
    proxy: dict[str, Any] | None = None
    imported_from: Any = None
    part: int | None = None  # from 1
    previous: str | None = None
    snaplen: int | None = None  # bytes
    redacted: list[str] | None = None
    expect: list[dict[str, Any]] | None = None


class Body(Record, gc=False, kw_only=True):
    """What `message` and `text` have in common: bytes where a message belongs."""

    sender: Literal["client", "server"] = field(name="from")
    x: str | None = None  # exchange, http
    size: int  # bytes on the wire, with line end
    wire_size: int | None = None  # bytes before content-decoding, where different
    eol: str = "\n"  # line end, stdio
    sse: dict[str, Any] | None = None  # fields of the SSE event other than `data`


class Members(Struct, gc=False):
    """The members of an ordinary JSON-RPC message, as JSON text but for the method; UNSET where absent."""

    jsonrpc: Literal["2.0"]
    id: Raw | UnsetType = UNSET
    method: str | UnsetType = UNSET
    params: Raw | UnsetType = UNSET
    result: Raw | UnsetType = UNSET
    error: Raw | UnsetType = UNSET


class Head(Struct, gc=False):
    """What could be read of a truncated message, as JSON text; empty where it could not."""

    id: Raw = Raw()
    method: Raw = Raw()


class Message(Body, tag="message", gc=False, kw_only=True):
    """One JSON value where a message belongs."""

    lf: int = 0  # raw line feeds that stand as spaces in `data`
    truncated: bool = False
    head: Head | None = None
    members: Members | None = field(default=None, name="message")  # None: no ordinary message, `data` says it all
    raw: str | None = None
    b64: str | None = None
    source: bytes = field(default=b"", name="(source)")  # the line of the file, or what `data` gives
    cut: bool = field(default=False, name="(cut)")  # `source` is what `data` gives

    @property
    def data(self) -> bytes:
        """The JSON text exactly as sent; its kept start where truncated."""
        if not self.cut:
            self.source, self.cut = message_text(self.source), True
        return self.source


class Text(Body, tag="text", gc=False, kw_only=True):
    """Bytes where a message belongs that are not one JSON value."""

    encoding: str | None = None  # content-encoding that could not be decoded
    truncated: bool = False
    raw: str | None = None
    b64: str | None = None

    @property
    def data(self) -> bytes:
        """The bytes without their line end."""
        return payload_bytes(self.raw, self.b64)


class Stderr(Record, tag="stderr", gc=False, kw_only=True):
    """A line that the server wrote to stderr."""

    size: int  # bytes with line end
    eol: str = "\n"
    truncated: bool = False
    raw: str | None = None
    b64: str | None = None

    @property
    def data(self) -> bytes:
        """The bytes without their line end."""
        return payload_bytes(self.raw, self.b64)


class Eof(Record, tag="eof", gc=False, kw_only=True):
    """A stream reached its end."""

    stream: str  # "stdin", "stdout" or "stderr"


class Signal(Record, tag="signal", gc=False, kw_only=True):
    """A signal was passed on."""

    signal: str  # name
    to: str = "server"


class Exit(Record, tag="exit", gc=False, kw_only=True):
    """The server process ended, or could not be started."""

    code: int | None = None
    signal: str | None = None  # name
    error: str | None = None


class Request(Record, tag="request", gc=False, kw_only=True):
    """The head of an HTTP request."""

    x: str
    conn: str | None = None  # client connection
    client: str | None = None  # address
    method: str
    url: str
    http: str | None = None  # "1.1", "2", "3"
    headers: list[Header] = []
    head_size: int | None = None  # bytes
    body_size: int | None = None  # bytes


class Response(Record, tag="response", gc=False, kw_only=True):
    """The head of an HTTP response."""

    x: str
    status: int
    http: str | None = None
    headers: list[Header] = []
    head_size: int | None = None  # bytes
    untimed: bool = False  # it is not known when its events came, nor what else came between them


class Sse(Record, tag="sse", gc=False, kw_only=True):
    """An SSE block that carries no message."""

    x: str
    size: int  # bytes with its blank line
    event: str | None = None
    id: str | None = None
    retry: Any = None  # as sent: milliseconds, if it is a number
    comment: Any = None
    fields: list[str] | None = None  # names that the SSE standard does not know
    unfinished: bool = False
    data: str | None = None


class Info(Record, tag="info", gc=False, kw_only=True):
    """A 1xx response, or trailers."""

    sender: str = field(name="from", default="server")
    x: str
    status: int | None = None
    headers: list[Header] = []
    trailers: list[Header] | None = None


class Close(Record, tag="close", gc=False, kw_only=True):
    """An exchange is over."""

    x: str
    by: str | None = None
    why: str | None = None
    error: str | None = None
    body_size: int | None = None  # bytes
    wire_size: int | None = None  # bytes, of the body with the framing of its chunks


class Gap(Record, tag="gap", gc=False, kw_only=True):
    """The recorder could not keep up or could not write."""

    records: int = 0
    bytes: int = 0  # of traffic
    why: str | None = None


class End(Record, tag="end", gc=False, kw_only=True):
    """The recorder stopped in order."""

    records: int | None = None  # written, this one included


class Unknown(Record, gc=False, kw_only=True):
    """A record of a type that this version does not know."""

    kind: str  # its `type`
    seq: int = -1
    t: float = 0.0
    fields: dict[str, Any] = {}  # the whole record


AnyRecord: TypeAlias = (
    Capture | Message | Text | Stderr | Eof | Signal | Exit | Request | Response | Sse | Info | Close | Gap | End
)


_MESSAGE = b'"message":'


class _Holder(Struct, gc=False):
    """The member of a message record that is its message."""

    message: Raw


_one = Decoder(Raw).decode
_holder = Decoder(_Holder).decode


def message_text(line: bytes) -> bytes:
    """The message's text on a line of a record; where it stands last with the blanks around it, which are its own."""
    text = line[line.find(_MESSAGE) + len(_MESSAGE) : line.rfind(b"}")]
    try:
        _one(text)
    except ValueError:  # it does not stand last, or its name is spelled otherwise
        text = bytes(_holder(line).message)
    return text


def payload_bytes(raw: str | None, b64: str | None) -> bytes:
    """The bytes that `raw` or `b64` stand for; ValueError where base64 is broken, which the reader has looked at."""
    if raw is not None:
        return raw.encode("utf-8", "surrogatepass")
    return b64decode(b64, validate=True) if b64 is not None else b""
