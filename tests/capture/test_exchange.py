"""An exchange as an engine tells it, and the records that it becomes."""

import base64
import gzip
import json
import zlib
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mcpsniff.capture.exchange import HELD
from mcpsniff.capture.heads import RequestHead, ResponseHead
from mcpsniff.capture.recognise import Verdict
from mcpsniff.wire.redact import Redactor

URL = "http://127.0.0.1:8000/mcp"
CALL = b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo"}}'
ANSWER = b'{"jsonrpc":"2.0","id":1,"result":{}}'


def test_json_exchange_record_for_record(capture):
    """Request, its message, response, its message, close: each with the fields and times of the format."""
    capture.answered(ANSWER[:9], ANSWER[9:], content_type="application/json")
    assert capture.records() == [
        {
            "type": "request", "t": 1.5, "t0": 1.0, "x": "x1", "conn": "c1", "client": "127.0.0.1", "method": "POST",
            "url": URL, "http": "1.1", "headers": [], "head_size": 100, "body_size": 71,
        },
        {"type": "message", "t": 1.5, "t0": 1.0, "from": "client", "x": "x1", "size": 71, "message": json.loads(CALL)},
        {
            "type": "response", "t": 2.0, "x": "x1", "status": 200, "http": "1.1",
            "headers": [["content-type", "application/json"]], "head_size": 50,
        },
        {
            "type": "message", "t": 4.0, "t0": 3.0, "from": "server", "x": "x1", "size": 36,
            "message": json.loads(ANSWER),
        },
        {"type": "close", "t": 9.0, "x": "x1", "by": "server", "why": "complete", "body_size": 36},
    ]  # fmt: skip


def test_event_stream_block_by_block(capture):
    """Messages, comments, priming events, noise and an unfinished block each give their record, in their order."""
    stream = (
        b": ping\n\n"
        b"id: 0\nretry: 3000\ndata:\n\n"
        b"event: message\nid: 1\ndata: " + ANSWER + b"\n\n"
        b"data: [DONE]\n\n"
        b"foo: bar\ndata: {\n\n"
        b"data: {"
    )
    capture.answered(stream, content_type="text/event-stream; charset=utf-8")
    shown = [{k: v for k, v in r.items() if k not in ("t", "x")} for r in capture.records()[3:-1]]
    assert shown == [
        {"type": "sse", "size": 8, "comment": "ping"},
        {"type": "sse", "size": 25, "id": "0", "retry": 3000, "data": ""},
        {
            "type": "message",
            "from": "server",
            "size": 65,
            "sse": {"event": "message", "id": "1"},
            "message": json.loads(ANSWER),
        },
        {"type": "text", "from": "server", "size": 14, "sse": {}, "raw": "[DONE]"},
        {"type": "text", "from": "server", "size": 18, "sse": {"fields": ["foo"]}, "raw": "{"},
        {"type": "sse", "size": 7, "unfinished": True, "data": "{"},
    ]


def test_event_is_recorded_when_it_arrives(capture):
    """Nothing waits for the end of the stream."""
    exchange = capture.asked()
    exchange.response(2.0, ResponseHead(200, "1.1", [("Content-Type", "text/event-stream")], 50))
    exchange.piece(3.0, b"data: " + ANSWER[:10])
    assert capture.types() == ["request", "message", "response"]
    exchange.piece(4.0, ANSWER[10:] + b"\n\n")
    last = capture.records()[-1]
    assert (last["type"], last["t0"], last["t"]) == ("message", 3.0, 4.0)


@pytest.mark.parametrize("encoding", ["gzip", "deflate"])
def test_encoded_body(capture, encoding):
    """The message is the decoded text; both sizes are told."""
    sent = gzip.compress(ANSWER) if encoding == "gzip" else zlib.compress(ANSWER)
    capture.answered(sent, content_encoding=encoding)
    message, close = capture.records()[-2:]
    assert (message["message"], message["size"], message["wire_size"]) == (json.loads(ANSWER), 36, len(sent))
    assert close["body_size"] == len(sent)


def test_encoded_events_come_one_by_one(capture):
    """Each event that the server flushed is a record of its own."""
    packer = zlib.compressobj(wbits=31)
    flushed = [packer.compress(b"data: " + ANSWER + b"\n\n") + packer.flush(zlib.Z_SYNC_FLUSH) for _ in range(2)]
    capture.answered(*flushed, content_type="text/event-stream", content_encoding="GZIP")
    first, second = [r for r in capture.records() if r.get("from") == "server"]
    assert (first["t"], second["t"], first["size"]) == (3.0, 4.0, 44)


@pytest.mark.parametrize(("encoding", "sent"), [("compress", ANSWER), ("gzip", b"no gzip"), ("gzip, br", b"\xff")])
@pytest.mark.parametrize("media", ["application/json", "text/event-stream"])
def test_body_that_cannot_be_decoded(capture, encoding, sent, media):
    """It is kept as it came, in base64, with the name of its encoding."""
    capture.answered(sent, content_encoding=encoding, content_type=media)
    text = capture.records()[-2]
    assert (text["type"], text["encoding"], text["size"]) == ("text", encoding, len(sent))
    assert base64.b64decode(text["b64"]) == sent


def test_pretty_printed_body_stays_one_line(capture):
    """Line feeds between the tokens are counted, and stand as spaces."""
    capture.answered(b'{\n  "a": 1\n}\n')
    message = capture.records()[-2]
    assert (message["size"], message["lf"], message["message"]) == (13, 3, {"a": 1})


def test_html_error_page_is_text(capture):
    """A body that is no JSON is kept as it is."""
    capture.answered(b"<h1>Bad Gateway</h1>", status=502, content_type="text/html")
    assert capture.records()[-2]["raw"] == "<h1>Bad Gateway</h1>"


def test_empty_bodies_give_no_record(capture):
    """A notification that is accepted: request, message, response, close."""
    capture.answered(status=202, asked=capture.asked(b'{"jsonrpc":"2.0","method":"notifications/initialized"}'))
    assert capture.types() == ["request", "message", "response", "close"]


def test_answer_before_the_whole_request(capture):
    """A request that is refused while it is still being sent is recorded before its answer, its size unknown."""
    exchange = capture.recorder.exchange("c1", "127.0.0.1")
    exchange.request(1.0, RequestHead("POST", URL, "1.1", [("Mcp-Method", "tools/call")], 100))
    exchange.response(2.0, ResponseHead(413, "1.1", [], 50))
    exchange.request_body(3.0, CALL)
    exchange.end(4.0, "server", "complete")
    assert capture.types() == ["request", "response", "message", "close"]
    assert capture.records()[0]["body_size"] is None


def test_no_answer_at_all(capture):
    """An exchange that ends before its response has a request and a close with the reason."""
    exchange = capture.asked()
    exchange.end(2.0, "proxy", "upstream", "connection refused")
    assert capture.types() == ["request", "message", "close"]
    close = capture.records()[-1]
    assert (close["by"], close["why"], close["error"], close["body_size"]) == (
        "proxy",
        "upstream",
        "connection refused",
        0,
    )


def test_end_is_told_once(capture):
    """What an engine tells after the end is not recorded."""
    exchange = capture.answered(ANSWER)
    before = capture.types()
    exchange.piece(10.0, b"late")
    exchange.trailers(10.0, [("a", "b")])
    exchange.end(11.0, "client", "closed")
    assert capture.types() == before


def test_informational_response_and_trailers(capture):
    """Both are `info` records, where an engine sees them."""
    exchange = capture.asked()
    exchange.info(1.7, 103, [("Link", "</a>")])
    exchange.response(2.0, ResponseHead(200, "1.1", [], 50))
    exchange.piece(3.0, ANSWER)
    exchange.trailers(4.0, [("Server-Timing", "x")])
    info, trailers = [r for r in capture.records() if r["type"] == "info"]
    assert info == {"type": "info", "t": 1.7, "x": "x1", "status": 103, "headers": [["Link", "</a>"]]}
    assert trailers == {"type": "info", "t": 4.0, "x": "x1", "trailers": [["Server-Timing", "x"]]}


def test_secrets_are_hidden_and_messages_exact(capture):
    """Header values and query tokens go, a member of the same name inside a message stays."""
    call = CALL.replace(b'"echo"', b'"echo","token":"kept"')
    capture.answered(
        ANSWER, asked=capture.asked(call, URL + "?token=s3cret", Authorization="Bearer s3cret"), set_cookie="s3cret"
    )
    text = json.dumps(capture.records())
    assert "s3cret" not in text
    assert capture.records()[1]["message"]["params"]["token"] == "kept"


def test_no_redaction_on_request(capture_at, tmp_path):
    """The user may ask for the secrets."""
    capture = capture_at(tmp_path / "c.jsonl", redact=False)
    capture.answered(ANSWER, asked=capture.asked(Authorization="Bearer s3cret"))
    assert capture.records()[0]["headers"] == [["Authorization", "Bearer s3cret"]]


def test_undecided_exchanges_are_small(capture):
    """One that holds too much is not MCP."""
    assert not capture.asked(b"{", "http://h/small").over
    assert capture.asked(b"{" + b" " * HELD, "http://h/large").over


def test_oauth_context_is_recorded_without_its_secrets(capture):
    """401, metadata and the token exchange that it announces; the tokens are hidden in form and JSON alike."""
    refused = capture.asked()
    capture.answered(status=401, asked=refused, www_authenticate='Bearer resource_metadata="http://as/"')
    known = capture.asked(b"", "http://as/.well-known/oauth-authorization-server", "GET")
    capture.answered(b'{"token_endpoint":"http://as/token"}', asked=known, content_type="application/json")
    form = "application/x-www-form-urlencoded"
    token = capture.asked(b"grant_type=authorization_code&code=s3cret", "http://as/token", content_type=form)
    capture.answered(b'{"access_token":"s3cret","token_type":"Bearer"}', asked=token, content_type="application/json")
    assert (known.verdict, token.verdict) == (Verdict.AUTH, Verdict.AUTH)
    records = capture.records()
    assert "s3cret" not in json.dumps(records)
    assert records[-4]["raw"].startswith("grant_type=authorization_code&code=‹redacted:")
    assert (records[-2]["message"]["token_type"], records[-2]["size"]) == ("Bearer", 47)


def test_token_answer_that_cannot_be_decoded_is_hidden_whole(capture):
    """A secret may stand anywhere in it."""
    capture.recorder.recogniser.metadata(b'{"token_endpoint":"http://as/token"}')
    token = capture.asked(b"", "http://as/token")
    capture.answered(b"s3cret", asked=token, content_encoding="compress")
    text = capture.records()[-2]
    assert "b64" not in text
    assert text["raw"].startswith("‹redacted:")


pieces = st.lists(
    st.binary(max_size=40) | st.sampled_from([b"data: " + ANSWER + b"\n\n", b": c\r\n\r\n", b"\r", b"\n"])
)
encodings = st.sampled_from(["", "gzip", "br", "zstd", "deflate", "odd"])
kinds = st.sampled_from(["text/event-stream", "application/json", ""])


@pytest.fixture
def paths(tmp_path):
    """Gives paths that nothing has been written to."""
    return (tmp_path / f"{i}.jsonl" for i in range(10**6))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(sent=pieces, encoding=encodings, kind=kinds)
def test_any_bytes_give_records_and_no_exception(capture_at, paths, sent, encoding, kind):
    """Whatever a server sends, the capture can be read and ends with the close of the exchange."""
    capture = capture_at(next(paths))
    capture.answered(*sent, content_type=kind, content_encoding=encoding)
    close = capture.records()[-1]
    assert (close["type"], close["body_size"]) == ("close", sum(map(len, sent)))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(sent=pieces, kind=kinds, cuts=st.lists(st.integers(0, 200)))
def test_any_cut_gives_the_same_records(capture_at, paths, sent, kind, cuts):
    """How the bytes were cut changes times, nothing else."""
    whole = b"".join(sent)
    edges = [0, *sorted(min(cut, len(whole)) for cut in cuts), len(whole)]
    once, often = capture_at(next(paths)), capture_at(next(paths))
    once.answered(whole, content_type=kind)
    often.answered(*(whole[a:b] for a, b in pairwise(edges)), content_type=kind)
    timeless = [[{k: v for k, v in r.items() if k not in ("t", "t0")} for r in c.records()] for c in (once, often)]
    assert timeless[0] == timeless[1]


def test_what_is_pointed_at_is_hidden_in_messages(capture_at, tmp_path):
    """In requests, answers and events alike; a body that cannot be decoded is hidden as a whole."""
    capture = capture_at(tmp_path / "c.jsonl")
    capture.recorder.redactor = Redactor(b"salt", False, ["/params/name", "/result/pin"])
    body = b'{"jsonrpc":"2.0","id":1,"result":{"pin":"s3cret"}}'
    capture.answered(b"data: " + body + b"\n\n", content_type="text/event-stream")
    capture.answered(b"s3cret", content_encoding="unknown")
    written = (tmp_path / "c.jsonl").read_text()
    assert not any(secret in written for secret in ("s3cret", '"echo"', base64.b64encode(b"s3cret").decode()))
    sizes = [r["size"] for r in capture.records() if "size" in r]
    assert sizes == [71, len(body) + 8, 71, 6]
