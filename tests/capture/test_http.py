"""The exchanges of one capture: what is MCP among them, and when their records are written."""

from mcpsniff.capture import http
from mcpsniff.capture.heads import ResponseHead
from mcpsniff.capture.http import HttpRecorder

URL = "http://127.0.0.1:8000/mcp"
CALL = b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo"}}'
ANSWER = b'{"jsonrpc":"2.0","id":1,"result":{}}'


def test_records_that_are_written_later(capture):
    """Nothing is written until it is asked for, and then all there is, in its order; a gap waits for nobody."""
    asked = []
    recorder = HttpRecorder(capture.recorder.writer, capture.recorder.redactor, later=asked.append)
    capture.recorder = recorder
    exchange = capture.asked()
    exchange.response(2.0, ResponseHead(200, "1.1", [], 50))
    assert (capture.types(), len(asked)) == ([], 1)
    asked.pop()()
    assert capture.types() == ["request", "message", "response"]
    exchange.piece(3.0, ANSWER)
    exchange.end(4.0, "server", "complete")
    capture.answered(ANSWER)
    still_open = capture.asked()
    still_open.lose(9.5, "stream-replaced")
    assert capture.types()[3:] == [
        "message",
        "close",
        *capture.types()[:3],
        "message",
        "close",
        "request",
        "message",
        "gap",
    ]
    assert len(asked) == 1
    asked.pop()()
    assert len(capture.types()) == 13


def test_other_traffic_leaves_no_record(capture):
    """Web pages, other JSON-RPC and other event streams are not recorded at all."""
    capture.answered(b"<html>", asked=capture.asked(None, "http://h/", "GET"), content_type="text/html")
    capture.answered(b"{}", asked=capture.asked(b'{"jsonrpc":"2.0","id":1,"method":"eth_call"}', "http://h/rpc"))
    capture.answered(
        b": hi\n\ndata: [DONE]\n\n", asked=capture.asked(b"{}", "http://h/chat"), content_type="text/event-stream"
    )
    capture.asked(b"{}", "http://h/gone").end(2.0, "client", "closed")
    assert capture.records() == []


def test_old_stream_is_recognised_by_its_endpoint_event(capture):
    """HTTP+SSE: what was held back comes first, then the event; POSTs to the announced URL are MCP."""
    stream = capture.asked(b"", "http://127.0.0.1:8000/sse", "GET")
    stream.response(2.0, ResponseHead(200, "1.1", [("Content-Type", "text/event-stream")], 50))
    stream.piece(3.0, b": hello\n\n")
    assert capture.records() == []
    stream.piece(4.0, b"event: endpoint\ndata: /messages?id=1\n\n")
    capture.asked(b"not json", "http://127.0.0.1:8000/messages?id=1")
    assert capture.types() == ["request", "response", "sse", "sse", "request", "text"]
    assert capture.records()[3]["data"] == "/messages?id=1"


def test_endpoint_announced_on_a_known_stream_is_learned(capture):
    """A server of both transports on one URL announces another URL for the old one."""
    capture.recorder.recogniser.learn(URL)
    capture.answered(
        b"event: endpoint\ndata: /old\n\n", asked=capture.asked(b"", URL, "GET"), content_type="text/event-stream"
    )
    assert capture.recorder.recogniser.knows("http://127.0.0.1:8000/old")


def test_pending_exchange_is_decided_by_a_later_one(capture):
    """A stream that was opened before the first telling request on its URL is recorded, before that request."""
    stream = capture.asked(b"", URL, "GET")
    stream.response(2.0, ResponseHead(200, "1.1", [("Content-Type", "text/event-stream")], 50))
    capture.asked(CALL, URL)
    assert [(r["type"], r["x"]) for r in capture.records()] == [
        ("request", "x1"), ("response", "x1"), ("request", "x2"), ("message", "x2"),
    ]  # fmt: skip


def test_undecided_exchanges_are_few(capture, monkeypatch):
    """The oldest is given up, and counted, when there are too many."""
    monkeypatch.setattr(http, "UNDECIDED", 2)
    first, *rest = [capture.asked(b"{}", f"http://h/{i}") for i in range(3)]
    assert (first.over, [x.over for x in rest], capture.recorder.given_up) == (True, [False, False], 1)
