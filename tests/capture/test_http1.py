"""Two byte streams become the exchanges that they carry, whatever the chunks they come in."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mcpsniff.capture.http import HttpRecorder
from mcpsniff.capture.http1 import Http1Connection
from mcpsniff.capture.writer import CaptureWriter
from mcpsniff.wire.redact import Redactor

Record = dict[str, Any]
CALL = b'{"jsonrpc":"2.0","id":1,"method":"tools/call"}'
ANSWER = b'{"jsonrpc":"2.0","id":1,"result":{}}'
EVENT = b"data: " + ANSWER + b"\n\n"
CHUNKED = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"


def post(body: bytes = CALL, *headers: bytes, method: bytes = b"POST", version: bytes = b"1.1") -> bytes:
    lines = [method + b" /mcp HTTP/" + version, b"Host: me:1", b"content-LENGTH: %d" % len(body), *headers]
    return b"\r\n".join([*lines, b"", body])


def answer(body: bytes = ANSWER, *headers: bytes, status: bytes = b"200 OK") -> bytes:
    lines = [b"HTTP/1.1 " + status, b"Content-Length: %d" % len(body), *headers]
    return b"\r\n".join([*lines, b"", body])


def chunk(data: bytes) -> bytes:
    return b"%x\r\n%s\r\n" % (len(data), data)


class Tap:
    """One connection that is recorded; times are the numbers of the calls."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.recorder = HttpRecorder(CaptureWriter(str(path), {"id": "t"}), Redactor(b"salt"))
        self.connection = Http1Connection(self.recorder, "c1", "127.0.0.1", "http://localhost:8000")
        self._t = 0.0

    def client(self, data: bytes) -> "Tap":
        self._t += 1
        self.connection.from_client(self._t, data)
        return self

    def server(self, data: bytes) -> "Tap":
        self._t += 1
        self.connection.from_server(self._t, data)
        return self

    def ends(self, *sides: str) -> "Tap":
        for side in sides:
            self._t += 1
            {"client": self.connection.client_ended, "server": self.connection.server_ended}[side](self._t)
        return self

    def records(self) -> list[Record]:
        """All but the header."""
        return [json.loads(line) for line in self._path.read_bytes().split(b"\n")[1:-1]]

    def of(self, kind: str) -> list[Record]:
        return [record for record in self.records() if record["type"] == kind]

    def outline(self) -> list[str]:
        return [f"{r['x']} {r['type']}" for r in self.records()]

    def closed(self) -> list[tuple[str, str]]:
        return [(r["by"], r["why"]) for r in self.of("close")]


@pytest.fixture
def tap(tmp_path: Path) -> Tap:
    return Tap(tmp_path / "c.jsonl")


@pytest.fixture
def new_tap(tmp_path: Path) -> Callable[[], Tap]:
    """Makes taps, one after the other."""
    made: list[Tap] = []

    def make() -> Tap:
        made.append(Tap(tmp_path / f"{len(made)}.jsonl"))
        return made[-1]

    return make


def test_call_and_answer(tap: Tap) -> None:
    """Heads as they were sent, duplicates, spelling and order kept; sizes counted on the wire."""
    tap.client(post(CALL, b"X-A:  1 ", b"x-a: 2")).server(answer(ANSWER, b"Content-Type: application/json"))
    request, message, response, back, close = tap.records()
    assert request["url"] == "http://localhost:8000/mcp"
    assert request["headers"] == [["Host", "me:1"], ["content-LENGTH", "46"], ["X-A", "1"], ["x-a", "2"]]
    head = b"POST /mcp HTTP/1.1\r\nHost: me:1\r\ncontent-LENGTH: 46\r\nX-A:  1 \r\nx-a: 2\r\n\r\n"
    assert (request["head_size"], request["body_size"], request["http"]) == (len(head), 46, "1.1")
    assert (message["message"], back["message"]) == (json.loads(CALL), json.loads(ANSWER))
    assert (response["head_size"], response["t"]) == (
        len("HTTP/1.1 200 OK\r\nContent-Length: 36\r\nContent-Type: application/json\r\n\r\n"),
        2.0,
    )
    assert (close["by"], close["why"], close["body_size"], "wire_size" in close) == ("server", "complete", 36, False)


def test_chunked_stream(tap: Tap) -> None:
    """Events come as their chunks do; the close tells what the framing took, and trailers are kept."""
    tap.client(post()).server(CHUNKED + chunk(EVENT)).server(chunk(b": ping\n\n"))
    assert tap.outline()[-2:] == ["x1 message", "x1 sse"]
    tap.server(b"0\r\nServer-Timing: x\r\n\r\n")
    (trailers,) = tap.of("info")
    (close,) = tap.of("close")
    assert trailers["trailers"] == [["Server-Timing", "x"]]
    assert close["body_size"] == len(EVENT) + 8
    assert close["wire_size"] == len(chunk(EVENT) + chunk(b": ping\n\n") + b"0\r\nServer-Timing: x\r\n\r\n")


def test_trailers_of_a_request(tap: Tap) -> None:
    """They follow the body that they belong to, and say that the client sent them; secrets in them are hidden."""
    head = b"POST /mcp HTTP/1.1\r\nHost: me\r\nTransfer-Encoding: chunked\r\n\r\n"
    tap.client(head + chunk(CALL) + b"0\r\nDigest: x\r\nX-Api-Key: s3cret\r\n\r\n").server(answer())
    assert tap.outline() == ["x1 request", "x1 message", "x1 info", "x1 response", "x1 message", "x1 close"]
    (info,) = tap.of("info")
    assert info["from"] == "client"
    assert info["trailers"][0] == ["Digest", "x"]
    assert info["trailers"][1][1].startswith("‹redacted:")


def test_informational_responses(tap: Tap) -> None:
    """A 100 lets the body come, a 103 announces; each is an `info`, and the answer is the answer."""
    head, _, body = post(CALL, b"Expect: 100-continue").partition(b"\r\n\r\n")
    tap.client(head + b"\r\n\r\n").server(b"HTTP/1.1 100 Continue\r\n\r\n").client(body)
    tap.server(b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" + answer())
    assert [(r["status"], r["headers"]) for r in tap.of("info")] == [(100, []), (103, [["Link", "</a>"]])]
    (response,) = tap.of("response")
    assert response["head_size"] == len("HTTP/1.1 200 OK\r\nContent-Length: 36\r\n\r\n")
    assert tap.closed() == [("server", "complete")]


def test_pipelining(tap: Tap) -> None:
    """Three requests before the first answer: each answer belongs to its request, the sizes are each one's own."""
    tap.client(post() + post(b"", method=b"HEAD") + post(CALL, b"X: 1"))
    tap.server(answer() + b"HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n" + answer(b"{}"))
    assert [r["x"] for r in tap.of("request")] == ["x1", "x2", "x3"]
    assert [(r["x"], r["body_size"]) for r in tap.of("close")] == [("x1", 36), ("x2", 0), ("x3", 2)]
    assert [r["head_size"] for r in tap.of("request")] == [
        len(post()) - 46,
        len(post(b"", method=b"HEAD")),
        len(post(CALL, b"X: 1")) - 46,
    ]


def test_answer_before_the_body(tap: Tap) -> None:
    """A request that is refused at its head: the rest of its body is no new request."""
    sent = post(CALL, b"MCP-Protocol-Version: 2025-11-25")
    tap.client(sent[:-20]).server(answer(b"", status=b"413 Too Large")).client(sent[-20:]).client(post()).server(
        answer()
    )
    assert [r["status"] for r in tap.of("response")] == [413, 200]
    assert tap.closed() == [("server", "complete")] * 2


def test_body_without_a_length(tap: Tap) -> None:
    """It ends with the connection, which is then the end of a complete answer."""
    tap.client(post()).server(b"HTTP/1.0 200 OK\r\nContent-Type: text/event-stream\r\n\r\n" + EVENT).ends("server")
    assert tap.closed() == [("server", "complete")]
    assert (tap.of("response")[0]["http"], len(tap.of("message"))) == ("1", 2)


@pytest.mark.parametrize(
    ("came", "ends", "who"),
    [
        (b"", ["server"], ("server", "closed")),
        (CHUNKED, ["server"], ("server", "closed")),
        (CHUNKED + chunk(EVENT)[:-9], ["server"], ("server", "closed")),
        (CHUNKED, ["client", "server"], ("client", "closed")),
        (b"", ["client", "server"], ("client", "closed")),
    ],
)
def test_who_closed_first(tap: Tap, came: bytes, ends: list[str], who: tuple[str, str]) -> None:
    """A server that closes because its client did is not to blame."""
    tap.client(post())
    if came:
        tap.server(came)
    assert tap.ends(*ends).closed() == [who]


def test_half_close(tap: Tap) -> None:
    """A client that sends no more and still reads gets its answer: complete."""
    tap.client(post()).ends("client").server(answer()).ends("server")
    assert tap.closed() == [("server", "complete")]


def test_resets(new_tap: Callable[[], Tap]) -> None:
    """Told as such, unless the client had closed before and its system answers for it."""
    for side, ends, why in (("server", [], "reset"), ("client", [], "reset"), ("client", ["client"], "closed")):
        tap = new_tap().client(post()).server(CHUNKED).ends(*ends)
        tap.connection.reset(9, side)
        assert tap.closed() == [(side, why)]


def test_a_request_that_is_cut(tap: Tap) -> None:
    """What came of its body is kept as text, with its true size."""
    tap.client(post(CALL, b"MCP-Protocol-Version: 2025-11-25")[:-6]).ends("client", "server")
    (text,) = tap.of("text")
    assert (text["raw"].encode(), tap.of("request")[0]["body_size"]) == (CALL[:-6], 40)
    assert tap.closed() == [("client", "closed")]


def test_no_connection_to_the_server(tap: Tap) -> None:
    """The end is the proxy's, with the reason."""
    tap.client(post())
    tap.connection.unreached(2, "Connection refused")
    (close,) = tap.of("close")
    assert (close["by"], close["why"], close["error"]) == ("proxy", "upstream", "Connection refused")


def test_still_open_at_the_end(tap: Tap) -> None:
    """Neither side is said to have closed."""
    tap.client(post()).server(CHUNKED)
    tap.connection.stop(3)
    assert tap.closed() == [("open", "shutdown")]


def test_garbage_for_an_answer(tap: Tap) -> None:
    """It is kept as the text that stands where the answer belongs."""
    tap.client(post()).server(b"hello\r\n\r\n").server(b"more")
    (text,) = tap.of("text")
    (close,) = tap.of("close")
    assert (text["raw"], close["by"]) == ("hello\r\n\r\n", "server")
    assert "no HTTP/1" in close["error"]


def test_a_chunk_that_is_none(tap: Tap) -> None:
    """What came before stays, the end says what is wrong."""
    tap.client(post()).server(CHUNKED + chunk(EVENT) + b"zz\r\n")
    assert tap.outline()[-2:] == ["x1 message", "x1 close"]
    assert "chunk" in tap.of("close")[0]["error"]


def test_a_client_that_speaks_no_http(tap: Tap) -> None:
    """No exchange, and the reason is known."""
    tap.client(b"\x16\x03\x01 hello\r\n\r\n").server(b"\x15\x03")
    assert tap.records() == []
    assert "the client's bytes are no HTTP/1" in str(tap.connection.lost)


def test_upgrade(tap: Tap) -> None:
    """101 ends the exchange; what is spoken then is not read. A refused one goes on as HTTP."""
    ask = post(b"", b"Connection: upgrade", b"Upgrade: websocket", b"Mcp-Session-Id: s", method=b"GET")
    tap.client(ask).server(answer(b"no", status=b"400 Bad Request"))
    tap.client(ask).server(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n\x81\x05hello").client(
        b"\x81"
    )
    assert [r["status"] for r in tap.of("response")] == [400, 101]
    assert tap.closed() == [("server", "complete")] * 2
    assert tap.connection.lost is None


def test_tunnel(tap: Tap) -> None:
    """CONNECT is not MCP, and what passes through it is not read."""
    tap.client(b"CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\n\r\n").server(b"HTTP/1.1 200 OK\r\n\r\n").client(b"\x16")
    assert (tap.records(), tap.connection.lost) == ([], None)


def test_url_of_a_proxy_request(tap: Tap) -> None:
    """An absolute target is the URL; a query that holds one is not."""
    for target in (b"http://other/mcp", b"/mcp?to=http://other/", b"*"):
        tap.client(post(CALL).replace(b"/mcp", target, 1)).server(answer())
    urls = [r["url"] for r in tap.of("request")]
    assert urls == ["http://other/mcp", "http://localhost:8000/mcp?to=http://other/", "http://localhost:8000/*"]


def test_folded_header(tap: Tap) -> None:
    """An old way to go on in the next line."""
    tap.client(post(CALL, b"X: a\r\n  b")).server(answer())
    assert ["X", "a b"] in tap.of("request")[0]["headers"]


def test_long_head(tap: Tap) -> None:
    """Tokens may be long: 100 kB are read."""
    tap.client(post(CALL, b"Authorization: Bearer " + b"x" * 100_000)).server(answer())
    assert tap.of("request")[0]["head_size"] > 100_000
    assert tap.closed() == [("server", "complete")]


SESSION = [
    ("client", post() + post(b"", method=b"GET")),
    ("server", b"HTTP/1.1 100 Continue\r\n\r\n" + CHUNKED + chunk(EVENT) + chunk(EVENT[:9]) + chunk(EVENT[9:])),
    ("server", b"0\r\nA: b\r\n\r\n" + answer()),
    ("client", post(CALL, b"X: 1")),
    ("server", answer()),
]


def without_times(records: list[Record]) -> list[Record]:
    return [{k: v for k, v in record.items() if k not in ("t", "t0")} for record in records]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(st.data())
def test_any_chunking_gives_the_same_records(new_tap: Callable[[], Tap], data: st.DataObject) -> None:
    """Times aside; the order of what the two sides said is kept."""
    whole, cut = new_tap(), new_tap()
    for side, stream in SESSION:
        getattr(whole, side)(stream)
        places = sorted(data.draw(st.sets(st.integers(1, len(stream) - 1), max_size=12)))
        for start, stop in zip([0, *places], [*places, len(stream)], strict=True):
            getattr(cut, side)(stream[start:stop])
    assert without_times(cut.records()) == without_times(whole.records())
    assert len(whole.of("close")) == 3


PIECES = st.sampled_from([post(), answer(), CHUNKED, chunk(EVENT), b"0\r\n\r\n", b"\r\n", b"HTTP/1.1 101 x\r\n\r\n"])


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=150)
@given(st.lists(st.tuples(st.sampled_from(["client", "server", "ends"]), PIECES | st.binary(min_size=1, max_size=40))))
def test_any_bytes_never_raise(new_tap: Callable[[], Tap], steps: list[tuple[str, bytes]]) -> None:
    """Whatever comes, every exchange that was begun is ended, once."""
    tap = new_tap()
    for side, data in steps:
        if side == "ends":
            tap.ends("client" if data[0] % 2 else "server")
        else:
            getattr(tap, side)(data)
    tap.connection.stop(99)
    asked = [r["x"] for r in tap.of("request")]
    assert sorted(r["x"] for r in tap.of("close")) == sorted(asked)
