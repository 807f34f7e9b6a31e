"""Signals sent to wrap reach the server and the capture; wrap itself dies of none of them."""

import signal

import pytest

SAYS = """
def say(number, frame):
    os.write(1, b"got %d\\n" % number)
    os._exit(9)
for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
    signal.signal(number, say)
os.write(1, b"ready\\n")
while os.read(0, 99): pass
"""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_signal_is_passed_on_and_recorded(wrap, python, number):
    """The server gets the signal, answers, and exits in its own way."""
    wrapped = wrap(python(SAYS))
    wrapped.read(6)
    wrapped.process.send_signal(number)
    assert wrapped.code() == 9
    assert wrapped.process.stdout.read() == b"got %d\n" % number
    assert wrapped.has(type="signal", signal=number.name)["to"] == "server"
    assert wrapped.records()[-1]["type"] == "end"


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_server_that_dies_of_a_signal_passed_on(wrap, number):
    """A server with default dispositions dies of the signal, and so does wrap."""
    wrapped = wrap(["sleep", "60"])
    wrapped.server()
    wrapped.process.send_signal(number)
    assert wrapped.code() == -number


def test_an_interrupt_closes_the_servers_input_too(wrap, python):
    """A server that does not heed SIGINT while its stdin is open ends all the same."""
    wrapped = wrap(
        python(
            "signal.signal(signal.SIGINT, signal.SIG_IGN); os.write(1, b'ready')\n"
            "while os.read(0, 9): pass\n"
            "sys.exit(5)"
        )
    )
    wrapped.read(5)
    wrapped.process.send_signal(signal.SIGINT)
    assert wrapped.code() == 5


def test_a_signal_ends_wrap_when_nobody_reads_a_dead_servers_output(wrap, python, tools):
    """A client that neither reads nor closes holds wrap after the server's end, but only until it signals."""
    wrapped = wrap(python("os.write(1, b'x' * 150_000); os.write(2, b'.'); os._exit(3)"))
    assert wrapped.process.stderr.read(1) == b"."
    assert tools.ends(wrapped.server())
    assert wrapped.process.poll() is None
    wrapped.process.send_signal(signal.SIGTERM)
    assert wrapped.code() == 3
    assert wrapped.records()[-1]["type"] == "end"


def test_signals_to_the_process_group_leave_the_recorder_to_finish(wrap, python, tools):
    """A client that signals the whole group still gets a whole capture."""
    wrapped = wrap(python(SAYS), start_new_session=True)
    wrapped.read(6)
    tools.os.killpg(wrapped.process.pid, signal.SIGTERM)
    assert wrapped.code() == 9
    assert wrapped.records()[-1]["type"] == "end"
