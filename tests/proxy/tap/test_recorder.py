"""Frames of connections become the records of a capture."""

import os

import pytest

from mcpsniff.proxy import Wishes
from mcpsniff.proxy.tap.feed import CLIENT, CLIENT_EOF, END, GAP, OPENED, SERVER, SERVER_EOF, UNREACHED, kind
from mcpsniff.proxy.tap.recorder import TapRecorder
from mcpsniff.proxy.ways import ways
from mcpsniff.relay import Keeping
from tests.recordings import left_behind

CALL = b'{"jsonrpc":"2.0","id":1,"method":"tools/call"}'
ASKED = b"POST /mcp HTTP/1.1\r\nHost: me\r\nContent-Length: 46\r\n\r\n" + CALL
ANSWERED = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"


@pytest.fixture
def record(tmp_path, pipe):
    """Records frames (connection, what, payload), each 1 ms after the one before; the records, and the reports."""
    source, target = pipe()

    def run(*sent, write=str(tmp_path / "c.jsonl"), **wishes):
        servers = ways(["http://localhost:8000", "http://localhost:8001"], "127.0.0.1:0")
        recorder = TapRecorder(servers, Wishes(write, **wishes), 0, 4711, target)
        recorder.record((kind(n, what), i / 1000, data) for i, (n, what, data) in enumerate(sent))
        os.close(target)
        return left_behind(write, source)

    return run


def test_two_connections(record):
    """Each has its name, its client and its server; the header is the proxy's."""
    records, said = record(
        (1, OPENED, b"0 127.0.0.1"),
        (2, OPENED, b"1 ::1"),
        (1, CLIENT, ASKED),
        (2, CLIENT, ASKED),
        (2, SERVER, ANSWERED),
        (1, SERVER, ANSWERED),
        (1, CLIENT_EOF, b""),
        (1, SERVER_EOF, b""),
        (0, END, b""),
    )
    header, *rest = records
    assert (header["pid"], header["proxy"]["engine"], "upstream" in header) == (4711, "tap", False)
    assert [(r["conn"], r["client"], r["url"]) for r in rest if r["type"] == "request"] == [
        ("c1", "127.0.0.1", "http://localhost:8000/mcp"),
        ("c2", "::1", "http://localhost:8001/mcp"),
    ]
    assert [r["x"] for r in rest if r["type"] == "close"] == ["x2", "x1"]
    assert rest[-1]["type"] == "end"
    assert said.endswith("/c.jsonl\n")


def test_a_gap_ends_what_was_open_and_the_connection_goes_on(record):
    """Nobody is said to have closed; the next request is followed again."""
    records, _ = record(
        (1, OPENED, b"0 127.0.0.1"), (1, CLIENT, ASKED), (1, GAP, b"500"), (1, CLIENT, ASKED), (1, SERVER, ANSWERED)
    )
    assert [r["type"] for r in records[3:]] == ["gap", "close", "request", "message", "response", "message", "close"]
    assert (records[3]["bytes"], records[3]["why"]) == (500, "queue-full")
    assert (records[4]["by"], records[4]["error"]) == ("open", "the recorder could not keep up")
    assert (records[-1]["by"], records[5]["conn"]) == ("server", "c1")


def test_a_proxy_that_was_killed(record):
    """What had come of an answer is written; there is no end record."""
    records, _ = record((1, OPENED, b"0 a"), (1, CLIENT, ASKED), (1, SERVER, ANSWERED[:-1]))
    assert [r["type"] for r in records[3:]] == ["response", "text", "close"]
    assert (records[4]["raw"], records[5]["by"]) == ("{", "open")


def test_a_server_that_is_down(record):
    """The reason is that of the system."""
    records, _ = record((1, OPENED, b"0 127.0.0.1"), (1, CLIENT, ASKED), (1, UNREACHED, b"Connection refused"))
    assert (records[-1]["by"], records[-1]["why"], records[-1]["error"]) == ("proxy", "upstream", "Connection refused")


def test_what_cannot_be_recorded_is_told(record):
    """Once, and counted at the end."""
    noise = [
        frame for n in (1, 2) for frame in ((n, OPENED, b"0 a"), (n, CLIENT, b"\x16\r\n\r\n"), (n, SERVER_EOF, b""))
    ]
    _, said = record(*noise, (0, END, b""))
    assert said.count("a connection passes that cannot be recorded: the client's bytes are no HTTP/1") == 1
    assert "=mcpsniff: 2 connections could not be recorded to their ends\n" in said


def test_live_lines(record):
    """On request each message is told of."""
    _, said = record((1, OPENED, b"0 a"), (1, CLIENT, ASKED), (1, SERVER, ANSWERED), live=True)
    assert said.splitlines()[1:] == ["=    0.001    x1 → tools/call #1  46 B", "=    0.002    x1 ← result  2 B"]


def test_a_capture_that_cannot_be_opened(record, tmp_path):
    """It is told, the frames are taken, and nothing is written."""
    (tmp_path / "file").write_text("")
    records, said = record((1, OPENED, b"0 a"), (1, CLIENT, ASKED), (0, END, b""), write=f"{tmp_path}/file/c.jsonl")
    assert (records, said) == ([], f"-cannot write the capture '{tmp_path}/file/c.jsonl': Not a directory\n")


def test_a_fault_of_the_recorder_is_told_and_the_frames_are_taken(record):
    """A frame that it cannot understand ends the capture, not the taking of frames."""
    records, said = record((1, OPENED, b"9 a"), (1, CLIENT, ASKED))
    assert [r["type"] for r in records] == ["capture"]
    assert said.splitlines()[1].startswith("-the recorder failed (IndexError(")


def test_a_proxy_that_was_killed_leaves_packed_parts(record, tmp_path):
    """All parts are closed in order, without an end record."""
    keeping = Keeping(part_size="1k", compress="gzip")
    record((1, OPENED, b"0 me"), (1, CLIENT, ASKED), (1, SERVER, ANSWERED), keeping=keeping)
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == [f"c-0000{number}.jsonl.gz" for number in range(1, len(names) + 1)]
    assert len(names) > 1
