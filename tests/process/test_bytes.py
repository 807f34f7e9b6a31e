"""Bytes pass both ways untouched and at once, and the capture holds all of them."""

import socket
import subprocess
import tempfile
import threading
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

LINES = st.lists(
    st.one_of(
        st.binary(max_size=60),
        st.sampled_from(
            [b'{"id":1}\n', b'{"a":\t[1.0,1E2,"\\ud800"]}\r\n', b"\n", b"\r\n", b"\r", b"\xff\n", b"[" * 2000]
        ),
        st.just(b'"' + b"x" * 70_000 + b'"\n'),
    ),
    max_size=8,
)


@settings(max_examples=15)
@given(LINES)
def test_any_bytes_come_out_equal_and_are_rebuilt_from_the_capture(tools, sent):
    """What the client sends, and what the server says on stdout and stderr, passes exactly and is captured exactly."""
    data = b"".join(sent)
    with tempfile.TemporaryDirectory() as folder:
        wrapped = tools.Wrapped(Path(folder), ["tee", "/dev/stderr"])
        assert wrapped.finish(data) == (data, data)
        found = wrapped.records()
    for sender in ("client", "server", "stderr"):
        assert tools.rebuilt(found, sender) == data
    assert found[-1] == {"type": "end", "seq": found[-1]["seq"], "t": found[-1]["t"], "records": len(found)}
    assert [one["seq"] for one in found] == list(range(len(found)))


def test_part_of_a_line_passes_without_its_end(wrap):
    """A chunk is passed on at once; nothing waits for a line end in either direction."""
    wrapped = wrap(["cat"])
    wrapped.send(b'{"half')
    assert wrapped.read(6) == b'{"half'
    wrapped.send(b'way":1}\n')
    assert wrapped.read(8) == b'way":1}\n'


def test_a_request_is_recorded_before_its_answer(wrap):
    """In thousands of fast exchanges no answer has a lower seq than its request."""
    wrapped = wrap(["cat"])
    for number in range(3000):
        wrapped.send(b"%d\n" % number)
        wrapped.read(len(b"%d\n" % number))
    wrapped.finish()
    messages = [(one["text"], one["from"]) for one in wrapped.records() if one["type"] == "message"]
    expected = [(b"%d" % number, sender) for number in range(3000) for sender in ("client", "server")]
    assert messages == expected


@pytest.mark.parametrize("options", [[], ["--"]])
def test_the_server_gets_its_own_options(wrap, tools, tmp_path, options):
    """With and without `--` everything behind the command is the command's, also -h and -w."""
    capture = str(tmp_path / "c.jsonl")
    command = [*tools.WRAP, "-w", capture, *options, "printf", "%s ", "-h", "-w", "--strict", "--"]
    assert subprocess.check_output(command) == b"-h -w --strict -- "


def test_non_blocking_pipes_of_the_client_lose_nothing(wrap):
    """A client that shares a non-blocking socket with wrap gets and gives megabytes all the same."""
    ours, theirs = socket.socketpair()
    theirs.setblocking(False)
    data = b"".join(b"%070d\n" % number for number in range(40_000))
    with ours, theirs:
        wrapped = wrap(["cat"], stdin=theirs, stdout=theirs)
        writer = threading.Thread(target=ours.sendall, args=(data,))
        writer.start()
        with ours.makefile("rb") as answers:
            assert answers.read(len(data)) == data
        writer.join()
        ours.shutdown(socket.SHUT_WR)
        assert wrapped.code() == 0


def test_a_long_message_is_kept_up_to_snaplen(wrap, tools):
    """A message longer than --snaplen passes whole; the capture keeps its start, its size and its id."""
    message = b'{"jsonrpc":"2.0","id":7,"method":"x","params":"' + b"y" * 100_000 + b'"}\n'
    wrapped = wrap(["cat"], "--snaplen", "1k")
    out, _ = wrapped.finish(message)
    assert out == message
    kept = wrapped.has(**{"from": "client"})
    assert kept["truncated"] is True
    assert (kept["size"], len(kept["raw"])) == (len(message), 1024)
    assert kept["head"] == {"id": 7, "method": "x"}
