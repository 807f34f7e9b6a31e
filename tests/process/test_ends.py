"""How wrap ends: as the server ended, when it has passed on what the server said."""

import os
import signal
import subprocess
import time

import pytest

from tests.waiting import until


@pytest.mark.parametrize("code", [0, 7, 255])
def test_the_exit_code_of_the_server_is_wraps(wrap, code):
    """The server's exit ends wrap with its code, although the client's stdin stays open."""
    wrapped = wrap(["sh", "-c", f"echo last; exit {code}"])
    assert wrapped.code() == code
    assert wrapped.read(5) == b"last\n"
    assert wrapped.has(type="exit")["code"] == code


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGSEGV, signal.SIGINT, signal.SIGPIPE])
def test_the_signal_that_killed_the_server_kills_wrap(wrap, number):
    """A server that dies of a signal makes wrap die of the same, with everything recorded."""
    wrapped = wrap(["sh", "-c", f"kill -{number.value} $$"])
    assert wrapped.code() == -number
    assert wrapped.has(type="exit")["signal"] == number.name
    assert wrapped.records()[-1]["type"] == "end"


def test_end_of_input_reaches_the_server(wrap, python):
    """The client's end of input closes the server's stdin; what the server then says still comes."""
    wrapped = wrap(python("while os.read(0, 9): pass\nos.write(1, b'bye'); sys.exit(5)"))
    assert wrapped.finish(b"one")[0] == b"bye"
    assert wrapped.code() == 5
    kinds = [(one["type"], one.get("stream") or one.get("from")) for one in wrapped.records()]
    assert kinds[1:3] == [("text", "client"), ("eof", "stdin")]
    assert set(kinds[3:6]) == {("text", "server"), ("eof", "stdout"), ("eof", "stderr")}
    assert kinds[6:] == [("exit", None), ("end", None)]


def test_end_of_output_is_passed_on_while_the_server_lives(wrap, python):
    """A server that closes its stdout but goes on has its client see the end at once."""
    wrapped = wrap(python("os.close(1); os.read(0, 1); sys.exit(3)"))
    assert wrapped.process.stdout.read() == b""
    assert wrapped.process.poll() is None
    wrapped.send(b"x")
    assert wrapped.code() == 3


def test_a_server_that_closes_its_input_breaks_the_clients_pipe(wrap, python):
    """Writing to a server that has closed its stdin fails for the client as it would without wrap."""
    wrapped = wrap(python("os.close(0); os.write(1, b'ready'); time.sleep(60)"))
    wrapped.read(5)

    def broken():
        try:
            wrapped.send(b"x\n")
        except BrokenPipeError:
            return True
        return False

    until(broken)


def test_a_client_that_closes_our_stdout_breaks_the_servers_pipe(wrap, python):
    """A server that writes to a client which has gone gets SIGPIPE, as it would without wrap."""
    wrapped = wrap(python("signal.signal(signal.SIGPIPE, signal.SIG_DFL)\nwhile True: os.write(1, b'x' * 999)"))
    wrapped.read(1)
    wrapped.process.stdout.close()
    assert wrapped.code() == -signal.SIGPIPE


def test_a_grandchild_that_holds_the_pipes_does_not_hold_wrap(wrap):
    """When the server has ended and its pipes stay open, 50 ms of silence are enough."""
    wrapped = wrap(["sh", "-c", "sleep 60 & echo $!; exit 4"])
    try:
        assert wrapped.code() == 4
    finally:
        os.kill(int(wrapped.process.stdout.read()), signal.SIGKILL)
    assert wrapped.records()[-1]["type"] == "end"


def test_what_a_grandchild_still_says_is_passed_on(wrap):
    """Output that goes on after the server's end, without 50 ms of silence, comes whole."""
    wrapped = wrap(["sh", "-c", "(seq 200000) & exit 6"])
    out, _ = wrapped.finish()
    assert out == b"".join(b"%d\n" % number for number in range(1, 200_001))
    assert wrapped.code() == 6


@pytest.mark.parametrize(
    ("command", "code", "why"),
    [("/nonexistent/server", 127, "No such file or directory"), ("/etc/passwd", 126, "Permission denied")],
)
def test_a_command_that_cannot_be_started(wrap, command, code, why):
    """The shell's exit code, one sentence on stderr, and an exit record with code and error."""
    wrapped = wrap([command])
    out, err = wrapped.finish()
    sentence = f"cannot start {command!r}: {why}"
    assert (out, err, wrapped.code()) == (b"", f"mcpsniff: {sentence}\n".encode(), code)
    found = wrapped.records()
    assert [one["type"] for one in found] == ["capture", "exit", "end"]
    assert (found[1]["code"], found[1]["error"]) == (code, sentence)
    assert "pid" not in found[0]


def test_closed_standard_streams_of_the_client(tools, tmp_path):
    """With stdin and stderr closed by the client the server's words still come, and the capture is whole."""
    capture = tmp_path / "c.jsonl"
    shell = 'exec "$@" <&- 2>&-'
    command = ["sh", "-c", shell, "sh", *tools.WRAP, "-w", str(capture), "sh", "-c", "echo out; echo err >&2"]
    assert subprocess.check_output(command, timeout=tools.DEADLINE) == b"out\n"
    assert tools.rebuilt(tools.records(capture), "stderr") == b"err\n"


def test_wrap_ends_soon_after_the_server(wrap, tmp_path):
    """Once the recorder is up, the server's end is wrap's at once, and the capture is complete by then."""

    def took(number):
        wrapped = wrap(["cat"], write=tmp_path / f"{number}.jsonl")
        wrapped.has(type="capture")
        started = time.monotonic()
        wrapped.finish()
        seconds = time.monotonic() - started
        assert wrapped.records()[-1]["type"] == "end"
        return seconds

    assert min(took(number) for number in range(3)) < 0.5  # measured: 0.01; the patience with the recorder is 1 s
