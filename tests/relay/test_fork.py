"""The recorder's process holds nothing of the client's; without one, wrap goes on."""

import os
import subprocess
import sys

import pytest

from mcpsniff.relay.channel import Channel
from mcpsniff.relay.fork import fork_recorder


class Chunks(Channel):
    """A channel that loses nothing."""

    def _tell_losses(self, kind):
        pass


def test_the_recorder_lets_go_of_the_client(tmp_path):
    """It has a session of its own, /dev/null for standard streams, and of the client's other descriptors none."""
    script = """
import os
from mcpsniff.relay.channel import Channel
from mcpsniff.relay.fork import fork_recorder
class Idle:
    def __init__(self, start, parent, report):
        os.write(report, b"+open\\n")
    def record(self, frames):
        list(frames)
client = os.dup(1)
feed, reports = fork_recorder(Idle, Channel, verbose=False, at_once=True)
assert reports.opened() == "open"
child = open(f"/proc/self/task/{os.getpid()}/children").read().strip()
for fd in sorted(os.listdir(f"/proc/{child}/fd"), key=int):
    print(os.readlink(f"/proc/{child}/fd/{fd}").partition(":")[0])
print(os.getsid(int(child)) == int(child))
"""
    *files, own_session = subprocess.check_output([sys.executable, "-c", script], text=True).split()
    assert files == ["/dev/null"] * 3 + ["pipe"] * 2  # frames come in, reports go out
    assert own_session == "True"


@pytest.mark.parametrize("at_once", [False, True])
def test_without_a_recorder_frames_are_dropped(monkeypatch, capfd, at_once):
    """A fork that fails is told in one line, and nothing is open."""

    def refuse():
        raise BlockingIOError

    monkeypatch.setattr(os, "fork", refuse)
    feed, reports = fork_recorder(None, Chunks, verbose=True, at_once=at_once)
    assert reports.opened() is None
    feed.tell(8)
    feed.close(1)
    assert reports.ended(10)
    assert capfd.readouterr().err == "mcpsniff: the recorder is gone; the traffic goes on unrecorded\n"
