"""HAR files as browsers and mitmproxy write them, and files that are none."""

import json
from pathlib import Path

import pytest

from mcpsniff.capture.importers import har
from mcpsniff.errors import McpsniffError

HERE = Path(__file__).parent
NOON = 1796040000.0  # 2026-11-30T12:00:00Z, seconds since the epoch


@pytest.fixture
def chromium():
    return har.read(str(HERE / "chromium.har"))


@pytest.fixture
def firefox():
    return har.read(str(HERE / "firefox.har"))


def test_chromium_as_a_whole(chromium):
    """Four exchanges; what became a WebSocket is counted."""
    assert (chromium.creator, chromium.websockets, len(chromium.exchanges)) == ("WebInspector 537.36", 1, 4)
    assert chromium.origin()["exchanges"] == 4


def test_heads_of_http_2(chromium):
    """Pseudo headers are no headers, an unknown size is unknown, a status may lack its text."""
    first = chromium.exchanges[0]
    assert first.request.headers == [
        ("accept", "application/json, text/event-stream"),
        ("content-type", "application/json"),
    ]
    assert (first.request.http, first.request.size, first.response.size) == ("2", None, None)
    assert (chromium.exchanges[2].request.http, chromium.exchanges[2].request.size) == ("1.1", 301)


def test_body_in_base64(chromium):
    """It is decoded, and free of the content-encoding that the head names."""
    first = chromium.exchanges[0]
    ((_, body),) = first.pieces
    assert json.loads(body)["result"]["serverInfo"] == {"name": "s", "version": "1"}
    assert first.decoded


def test_phases_make_moments(chromium):
    """Start, then 1.5 ms blocked and 0.5 ms connecting; a start that was cut to the millisecond counts as its end."""
    first, second, *_ = chromium.exchanges
    moments = [at - NOON for at in (first.asked, first.sent, first.answered, first.ended)]
    assert moments == pytest.approx([0.103, 0.10225, 0.10825, 0.10925], abs=1e-6)
    assert second.asked > first.ended  # which began 0.25 ms before, by the letter of the file


def test_events_with_times(chromium):
    """The browser has kept when they came, though not the body: they are spelled anew."""
    call = chromium.exchanges[2]
    assert [at - NOON for at, _ in call.pieces] == [1.25, 2.5]
    assert call.pieces[0][1].startswith(b'id: 1\ndata: {"jsonrpc":"2.0","method":"notifications/progress"')
    assert call.pieces[1][1] == b'data: {"jsonrpc":"2.0","id":1,"result":{"content":[]}}\n\n'
    assert not call.untimed
    assert (call.by, call.why, call.error) == ("client", "closed", "net::ERR_ABORTED")


def test_events_without_times(firefox):
    """The body is there, and when its events came is not known, nor who ended the stream."""
    call = firefox.exchanges[0]
    assert (call.untimed, call.by, call.why) == (True, "open", "unknown")
    assert call.asked == pytest.approx(NOON + 0.501)  # 13:00:00.500+01:00, cut to the millisecond
    assert call.conn is None


def test_bodies_that_are_not_held(firefox):
    """A size without a text; and a request whose body is only counted."""
    large = firefox.exchanges[2]
    assert (large.body, large.pieces) == (None, None)
    assert firefox.exchanges[1].pieces == [(firefox.exchanges[1].ended, b"")]


def test_no_answer(firefox):
    """Status 0 is none."""
    failed = firefox.exchanges[3]
    assert (failed.response, failed.by, failed.why, failed.request.http) == (None, "error", "unknown", None)


def entry(**changes):
    one = {
        "startedDateTime": "2026-11-30T12:00:00.123456+00:00",
        "time": 40,
        "request": {"method": "POST", "url": "http://localhost/mcp", "httpVersion": "HTTP/1.1", "headers": []},
        "response": {
            "status": 200,
            "httpVersion": "HTTP/1.1",
            "headers": [{"name": "Content-Type", "value": "text/event-stream"}],
            "headersSize": 77,
            "content": {"size": 0, "text": ""},
        },
        "timings": {"connect": 20, "send": 2, "wait": 3, "receive": 5},
    }
    return {**one, **changes}


def document(*entries, version="1.2", creator="mitmproxy"):
    creator = {"name": creator, "version": "12.3.1"}
    return {"log": {"version": version, "creator": creator, "entries": list(entries)}}


@pytest.fixture
def read(tmp_path):
    """Reads a document as a file."""

    def run(value):
        path = tmp_path / "some.har"
        path.write_text(value if isinstance(value, str) else json.dumps(value))
        return har.read(str(path))

    return run


def test_har_of_mitmproxy(read):
    """It counts connecting to the server among the waiting, keeps microseconds, and its heads' sizes are none."""
    (one,) = read(document(entry())).exchanges
    assert [round(at - NOON, 6) for at in (one.asked, one.sent, one.answered, one.ended)] == [
        *(0.123456, 0.125456, 0.128456, 0.133456)
    ]
    assert one.response.size is None
    assert one.pieces is None  # a stream of which nothing was kept


EVENTS = [{"time": NOON + 1, "eventName": "x", "data": "1"}, {"time": NOON + 2, "data": "2\n3"}]


def test_events_with_times_and_a_body(read):
    """The bytes are those of the body, what stood between two events came with the second, the rest at the end."""
    body = ": ping\n\nevent: x\ndata: 1\n\n: ping\n\ndata: 2\ndata: 3\n\n: bye\n\n"
    response = {**entry()["response"], "content": {"size": len(body), "text": body}}
    (one,) = read(document(entry(response=response, _eventSourceMessages=EVENTS))).exchanges
    assert b"".join(data for _, data in one.pieces) == body.encode()
    assert [(at - NOON, len(data)) for at, data in one.pieces] == [(1, 26), (2, 25), (2, 7)]


def test_events_that_the_body_does_not_have(read):
    """Then they are spelled, each line of their data with its name."""
    (one,) = read(document(entry(_eventSourceMessages=EVENTS))).exchanges
    assert [data for _, data in one.pieces] == [b"event: x\ndata: 1\n\n", b"data: 2\ndata: 3\n\n"]


@pytest.mark.parametrize(
    ("data", "body"),
    [
        ({"text": "ä", "mimeType": "text/plain"}, "ä".encode()),
        ({"params": [{"name": "code", "value": "a b"}, {"name": "x"}]}, b"code=a+b&x="),
        ({"text": "AAE=", "encoding": "base64"}, b"\x00\x01"),
        ({"text": None}, b""),
    ],
)
def test_bodies_of_requests(read, data, body):
    """Text, a form, base64, or nothing."""
    request = {**entry()["request"], "postData": data}
    (one,) = read(document(entry(request=request))).exchanges
    assert one.body == body


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("{", "is damaged, or no HAR: it is not JSON"),
        ("{}", "is no HAR: there is no log with entries in it"),
        ({"log": {"version": "1.2", "entries": {}}}, "is no HAR"),
        (document(version="1.1"), "is HAR 1.1, and only 1.2 can be imported: export it as that"),
        (document(entry(), entry(request={})), "entry 2 of the HAR is not as HAR 1.2 has it (KeyError: 'url')"),
        (document(entry(startedDateTime="noon")), "entry 1 of the HAR is not as HAR 1.2 has it (ValueError"),
        (document(entry(request={**entry()["request"], "method": None})), "(TypeError: None is no text)"),
        (document(entry(response={**entry()["response"], "status": "200"})), "(TypeError: '200' is no number)"),
        (document(entry(timings={"wait": 1e300})), "(ValueError: 1e+297 s since 1970 is no time)"),
        (document(7), "entry 1 of the HAR is not as HAR 1.2 has it (TypeError"),
        (document(entry(response={"status": 200, "headers": [{}]})), "entry 1 of the HAR is not as HAR 1.2 has it"),
    ],
)
def test_files_that_are_not_understood(read, value, said):
    """One sentence: what, where, what to do."""
    with pytest.raises(McpsniffError) as refused:
        read(value)
    assert said in str(refused.value)
    assert "some.har" in str(refused.value)


def test_byte_order_mark(tmp_path):
    """Some programs write one."""
    path = tmp_path / "bom.har"
    path.write_bytes(b"\xef\xbb\xbf" + json.dumps(document()).encode())
    assert har.read(str(path)).exchanges == []
