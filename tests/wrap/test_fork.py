"""The recorder's process holds nothing of the client's; without one, wrap goes on."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from mcpsniff.wrap.channel import END
from mcpsniff.wrap.fork import fork_recorder
from mcpsniff.wrap.options import Settings


def test_the_recorder_lets_go_of_the_client(tmp_path):
    """It has a session of its own, /dev/null for standard streams, and of the client's other descriptors none."""
    script = f"""
import os
from mcpsniff.wrap.fork import fork_recorder
from mcpsniff.wrap.options import Settings
client = os.dup(1)
feed, reports = fork_recorder(Settings(["srv"], write={str(tmp_path / "c.jsonl")!r}, strict=True))
assert reports.opened()
child = open(f"/proc/self/task/{{os.getpid()}}/children").read().strip()
for fd in sorted(os.listdir(f"/proc/{{child}}/fd"), key=int):
    print(os.readlink(f"/proc/{{child}}/fd/{{fd}}").partition(":")[0])
print(os.getsid(int(child)) == int(child))
"""
    *files, own_session = subprocess.check_output([sys.executable, "-c", script], text=True).split()
    assert files[:3] == ["/dev/null"] * 3
    assert sorted(files[3:]) == [str(tmp_path / "c.jsonl"), "pipe", "pipe"]  # frames come in, reports go out
    assert own_session == "True"


@pytest.mark.parametrize("strict", [False, True])
def test_without_a_recorder_frames_are_dropped(monkeypatch, capfd, strict, tmp_path):
    """A fork that fails is told in one line, and nothing is open."""

    def refuse():
        raise BlockingIOError

    monkeypatch.setattr(os, "fork", refuse)
    feed, reports = fork_recorder(Settings(["srv"], write=str(tmp_path / "c"), strict=strict))
    assert not reports.opened()
    feed.tell(END)
    feed.close(1)
    assert reports.ended(10)
    assert capfd.readouterr().err == "mcpsniff: the recorder is gone; the traffic goes on unrecorded\n"
    assert not Path(tmp_path / "c").exists()
