"""Frames become records: lines, ends, signals, exits, gaps."""

import os
import re

import pytest

from mcpsniff.wrap.feed import END, EOF, EXIT, GAP, SIGNAL, STARTED, STDERR, STDIN, STDOUT
from mcpsniff.wrap.options import Settings
from mcpsniff.wrap.recorder import Recorder
from tests.recordings import left_behind


@pytest.fixture
def record(tmp_path, pipe):
    """Records frames (kind, payload), each 1 ms after the one before; the records without seq, and the reports."""
    source, target = pipe()

    def run(*frames, write=str(tmp_path / "c.jsonl"), **settings):
        recorder = Recorder(Settings(["srv"], write=write, **settings), 0, 4242, target)
        recorder.record([(kind, number / 1000, payload) for number, (kind, payload) in enumerate(frames)])
        os.close(target)
        return left_behind(write, source)

    return run


GONE = 2**22 + 1  # a pid that Linux never gives


def started():
    """The frame of a server that has been spawned and will not be found."""
    return STARTED, b"%d" % GONE


def bare(records):
    """Records behind the header as (type, seq, t, the rest)."""
    return [(one.pop("type"), one.pop("seq"), one.pop("t"), one) for one in records[1:]]


def test_what_is_pointed_at_is_hidden(record):
    """In lines of both sides, also of a batch, of a line that is cut and with its own line end; stderr stays."""
    pin = b'{"id":1,"params":{"pin":"1234","n":2}}'
    records, _ = record(
        started(),
        (STDIN, pin + b"\r\n"),
        (STDOUT, b"[" + pin + b"]\n" + pin[:-1]),
        (STDERR, pin + b"\n"),
        (EOF, b"1"),
        redact=["/params/pin"],
    )
    header, first, batch, stderr, torn, _ = records
    assert header["redacted"] == ["/params/pin"]
    hidden = first["message"]["params"].pop("pin")
    assert re.fullmatch("‹redacted:[0-9a-f]{8}:4›", hidden)
    assert (first["message"], first["size"], first["eol"]) == ({"id": 1, "params": {"n": 2}}, 40, "\r\n")
    assert batch["message"][0]["params"]["pin"] == hidden  # the same secret, in the same capture
    assert (stderr["type"], stderr["raw"]) == ("stderr", pin.decode())
    assert (torn["type"], torn["raw"]) == ("text", pin[:-1].decode().replace("1234", hidden))


def test_the_start_of_a_long_line_is_redacted_too(record):
    """What stands beyond snaplen was never kept; what is before it is hidden as in a whole line."""
    line = b'{"method":"m","params":{"pin":"1234"},"x":"' + b"y" * 5000 + b'"}\n'
    records, _ = record(started(), (STDIN, line), (END, b""), redact=["/params/pin"], snaplen="1k")
    assert (records[1]["truncated"], records[1]["size"], records[1]["head"]) == (True, len(line), {"method": "m"})
    assert "1234" not in records[1]["raw"]


def test_a_session_in_order(record):
    """Lines are cut from chunks per stream; ends, signals and the exit stand between them."""
    records, said = record(
        started(),
        (STDIN, b'{"id":'),
        (STDOUT, b"noise\n"),
        (STDIN, b'1}\n{"id":2}\r\n'),
        (EOF, b"0"),
        (STDERR, b"bye"),
        (EOF, b"2"),
        (SIGNAL, b"15"),
        (EXIT, b"-15"),
        (END, b""),
    )
    assert (records[0]["pid"], records[0]["transport"]) == (GONE, "stdio")
    assert bare(records) == [
        ("text", 1, 0.002, {"from": "server", "size": 6, "raw": "noise"}),
        ("message", 2, 0.003, {"from": "client", "size": 9, "t0": 0.001, "message": {"id": 1}}),
        ("message", 3, 0.003, {"from": "client", "size": 10, "eol": "\r\n", "message": {"id": 2}}),
        ("eof", 4, 0.004, {"stream": "stdin"}),
        ("stderr", 5, 0.005, {"size": 3, "eol": "", "raw": "bye"}),
        ("eof", 6, 0.006, {"stream": "stderr"}),
        ("signal", 7, 0.007, {"signal": "SIGTERM", "to": "server"}),
        ("exit", 8, 0.008, {"signal": "SIGTERM"}),
        ("end", 9, 0.009, {"records": 10}),
    ]
    assert said.startswith("+/")
    assert said.endswith("/c.jsonl\n")


def test_a_shim_that_was_killed_leaves_no_end_record(record):
    """What had come, part of a line included, is written; that it was cut off stays visible."""
    records, _ = record(started(), (STDIN, b'{"id":1}'), (STDOUT, b"half"))
    assert [(one["type"], one.get("eol")) for one in records[1:]] == [("message", ""), ("text", "")]


def test_a_gap_takes_the_torn_line_along(record):
    """The start of the line whose end was lost is no record; its bytes count as lost, and seq jumps by the lines."""
    records, _ = record(
        started(), (STDOUT, b"1\ntorn "), (STDIN, b"2\n"), (GAP, b"1 3 100"), (STDOUT, b"4\n"), (END, b"")
    )
    assert bare(records) == [
        ("message", 1, 0.001, {"from": "server", "size": 2, "message": 1}),
        ("message", 2, 0.002, {"from": "client", "size": 2, "message": 2}),
        ("gap", 6, 0.003, {"records": 3, "bytes": 105, "why": "queue-full"}),
        ("message", 7, 0.004, {"from": "server", "size": 2, "message": 4}),
        ("end", 8, 0.005, {"records": 6}),
    ]


def test_a_command_that_could_not_be_started(record):
    """The header has no pid, the exit an error."""
    records, _ = record((EXIT, b"127 cannot start 'srv': No such file"), (END, b""))
    assert "pid" not in records[0]
    assert bare(records)[0][3] == {"code": 127, "error": "cannot start 'srv': No such file"}


def test_an_exit_code_and_a_signal_without_a_name(record):
    """Code 0 is a code; a real-time signal is told by its number."""
    records, _ = record(started(), (SIGNAL, b"40"), (EXIT, b"0"), (END, b""))
    assert [one[3] for one in bare(records)][:2] == [{"signal": "SIG40", "to": "server"}, {"code": 0}]


def test_a_capture_that_cannot_be_opened_is_told_once(record, tmp_path):
    """All frames are taken, nothing is written, and one report says why."""
    (tmp_path / "file").write_text("")
    write = str(tmp_path / "file" / "c.jsonl")
    records, said = record(started(), (STDIN, b"1\n"), (EOF, b"0"), (GAP, b"0 1 1"), (END, b""), write=write)
    assert records == []
    assert said == f"-cannot write the capture {write!r}: Not a directory\n"


def test_strict_opens_before_anything_has_come(record):
    """The report that the shim waits for comes without a frame, so the header has no pid."""
    records, said = record(strict=True)
    assert [one["type"] for one in records] == ["capture"]
    assert "pid" not in records[0]
    assert said.startswith("+")


def test_a_fault_of_the_recorder_is_told_and_the_frames_are_taken(record):
    """A frame that it cannot understand ends the capture, not the taking of frames."""
    records, said = record(started(), (STDIN, b"1\n"), (SIGNAL, b"?"), (STDIN, b"2\n"), (END, b""))
    assert [one["type"] for one in records] == ["capture", "message"]
    assert said.splitlines()[1].startswith("-the recorder failed (ValueError(")
