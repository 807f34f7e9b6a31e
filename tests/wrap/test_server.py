"""What the server gets from us, and how we end as it did."""

import os
import signal
import subprocess
import sys

import pytest

from mcpsniff.wrap.server import Server, environment


def test_the_environment_is_read_as_the_kernel_keeps_it(tmp_path):
    """Names and values are bytes, a value may hold `=`, and what is no variable is left out."""
    (tmp_path / "environ").write_bytes(b"A=1\0B=x=y\0EMPTY=\0odd\0C=\xff\0")
    assert environment(str(tmp_path / "environ")) == {b"A": b"1", b"B": b"x=y", b"EMPTY": b"", b"C": b"\xff"}


@pytest.mark.parametrize("given", [{}, {"LC_CTYPE": "C.UTF-8"}, {"LC_ALL": "C.UTF-8", "LC_CTYPE": "C.UTF-8"}])
def test_without_the_kernels_help_only_pythons_own_variable_goes(given):
    """Where /proc is missing, the LC_CTYPE that Python sets in the C locale is taken out again, and no other."""
    script = "from mcpsniff.wrap.server import environment; print(environment('/nonexistent'))"
    seen = subprocess.check_output([sys.executable, "-c", script], env=given, cwd=os.getcwd(), text=True)
    assert seen.strip() == str({name.encode(): value.encode() for name, value in given.items()})


def test_a_server_talks_through_its_three_pipes():
    """It reads our stdin, and its stdout and stderr come apart; the code of its end is told."""
    server = Server(["sh", "-c", "cat; echo err >&2; exit 7"], set())
    os.write(server.stdin, b"in")
    os.close(server.stdin)
    assert server.wait() == 7
    assert (os.read(server.stdout, 99), os.read(server.stderr, 99)) == (b"in", b"err\n")
    os.close(server.stdout)
    os.close(server.stderr)


def test_a_signal_reaches_the_server_only_while_it_lives():
    """The end by a signal is told as its negative number; afterwards the pid is left alone."""
    server = Server(["sleep", "60"], set())
    server.signal(signal.SIGTERM)
    assert server.wait() == -signal.SIGTERM
    server.signal(signal.SIGTERM)
    for fd in (server.stdin, server.stdout, server.stderr):
        os.close(fd)


@pytest.mark.parametrize(("code", "returncode"), [(0, 0), (3, 3), (-signal.SIGTERM, -15), (-signal.SIGKILL, -9)])
def test_leaving_like_the_server(code, returncode):
    """An exit code becomes ours, a signal kills us, even one that we hold back."""
    script = f"from mcpsniff.wrap.server import *; hold_signals(); leave_like({code})"
    assert subprocess.run([sys.executable, "-c", script]).returncode == returncode
