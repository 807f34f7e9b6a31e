"""SIGKILL: of wrap, which leaves no server and no loss behind, and of the recorder, which the traffic survives."""

import os
import signal
import sys
import time

REQUESTS = 200


def test_killing_wrap_loses_nothing_that_was_passed_on(wrap, tools):
    """Everything that the client has got back stands in the capture, without an end record; the server is gone."""
    wrapped = wrap(["cat"])
    for number in range(REQUESTS):
        wrapped.send(b"%03d\n" % number)
        wrapped.read(4)
    server = wrapped.server()
    wrapped.process.kill()
    assert tools.ends(server)
    expected = b"".join(b"%03d\n" % number for number in range(REQUESTS))
    for sender in ("client", "server"):
        tools.until(lambda sender=sender: tools.rebuilt(wrapped.records(), sender) == expected)
    assert not {one["type"] for one in wrapped.records()} & {"exit", "end"}


def test_killing_wrap_before_the_recorder_is_up(wrap, tools):
    """What was passed on in the first milliseconds is in the capture too, an unfinished line included."""
    wrapped = wrap(["cat"])
    wrapped.send(b"1\nhalf")
    assert wrapped.read(6) == b"1\nhalf"
    wrapped.process.kill()
    wrapped.has(**{"from": "server", "raw": "half"}, eol="")


def test_killing_wrap_ends_a_server_that_ignores_the_end_of_input(wrap, tools):
    """It gets SIGTERM from the recorder after 2 s, recorded as a signal."""
    wrapped = wrap(["sleep", "60"])
    server = wrapped.server()
    started = time.monotonic()
    wrapped.process.kill()
    assert tools.ends(server)
    assert time.monotonic() - started >= 2
    assert wrapped.has(type="signal")["signal"] == "SIGTERM"


def test_killing_wrap_kills_a_server_that_ignores_sigterm_as_well(wrap, python, tools):
    """It gets SIGKILL after 4 s."""
    wrapped = wrap(python("signal.signal(signal.SIGTERM, signal.SIG_IGN); os.write(1, b'.'); time.sleep(60)"))
    wrapped.read(1)
    server = wrapped.server()
    started = time.monotonic()
    wrapped.process.kill()
    assert tools.ends(server)
    assert time.monotonic() - started >= 4
    assert [one["signal"] for one in wrapped.records() if one["type"] == "signal"] == ["SIGTERM", "SIGKILL"]


def test_killing_the_whole_process_group_leaves_a_capture(wrap, tools):
    """The recorder is in a session of its own and writes what was passed on."""
    wrapped = wrap(["cat"], start_new_session=True)
    wrapped.send(b"1\n")
    wrapped.read(2)
    os.killpg(wrapped.process.pid, signal.SIGKILL)
    wrapped.has(type="message", **{"from": "server"})


def test_traffic_goes_on_without_the_recorder(wrap):
    """The recorder's death costs the capture and one line on stderr, nothing else."""
    wrapped = wrap(["cat"])
    os.kill(wrapped.recorder(), signal.SIGKILL)
    said = wrapped.process.stderr.readline()
    assert said == b"mcpsniff: the recorder is gone; the traffic goes on unrecorded\n"
    data = b"x" * 99 + b"\n"
    for _ in range(50):
        wrapped.send(data)
        assert wrapped.read(100) == data
    assert wrapped.finish() == (b"", b"")
    assert wrapped.code() == 0


def test_traffic_does_not_wait_for_a_recorder_that_stands_still(wrap):
    """With the recorder stopped, megabytes pass; when it goes on, they are all recorded."""
    wrapped = wrap(["cat"])
    recorder = wrapped.recorder()
    os.kill(recorder, signal.SIGSTOP)
    line = b"%09999d\n" % 1
    try:
        for _ in range(500):
            wrapped.send(line)
            assert wrapped.read(10_000) == line
    finally:
        os.kill(recorder, signal.SIGCONT)
    wrapped.finish()
    found = wrapped.records()
    assert sum(one["size"] for one in found if one.get("from") == "server") == 500 * 10_000
    assert found[-1]["type"] == "end"


def test_killing_wrap_in_a_flood_loses_nothing_that_was_passed_on(wrap, tools):
    """Megabytes that the recorder had not got to are in memory that it shares, and it writes them."""
    wrapped = wrap(["sh", "-c", "yes $(printf %0999d 1)"])
    passed = len(wrapped.read(20_000_000))
    wrapped.process.kill()
    passed += len(wrapped.process.stdout.read())

    def recorded():
        return sum(one["size"] for one in wrapped.records() if one.get("from") == "server")

    tools.until(lambda: recorded() >= passed)


SMALL = """
import sys
import mcpsniff.relay.channel
from mcpsniff.__main__ import main
mcpsniff.relay.channel.ROOM = 1_000_000
sys.argv.insert(1, "wrap")
main()
"""


def test_a_recorder_far_behind_costs_a_gap(wrap):
    """What finds no room is told in gaps, whole lines, which with what was recorded are all that was sent."""
    server = ["sh", "-c", "read start; yes $(printf %0999d 1) | head -c 5000000"]
    wrapped = wrap(server, program=[sys.executable, "-c", SMALL])
    recorder = wrapped.recorder()
    os.kill(recorder, signal.SIGSTOP)
    try:
        wrapped.send(b"go\n")
        assert len(wrapped.read(5_000_000)) == 5_000_000
    finally:
        os.kill(recorder, signal.SIGCONT)
    wrapped.has(type="end")
    found = wrapped.records()
    gaps = [one for one in found if one["type"] == "gap"]
    assert {one["why"] for one in gaps} == {"queue-full"}
    recorded = [one for one in found if one.get("from") == "server"]
    assert {one["size"] for one in recorded} == {1000}
    assert 1000 * len(recorded) + sum(one["bytes"] for one in gaps) == 5_000_000
    assert len(recorded) + sum(one["records"] for one in gaps) == 5000
    assert found[-1]["seq"] + 1 == len(found) + sum(one["records"] for one in gaps)
