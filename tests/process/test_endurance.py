"""Processes that stop, die or come in numbers: nothing is lost, and nothing is left behind."""

import os
import signal
import subprocess
import sys

import pytest

STARTS = 50
CLIENT = """
import os, subprocess, sys, time
wrap = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
os.write(wrap.stdin.fileno(), b"asked\\n")
answer = os.read(wrap.stdout.fileno(), 99)
os.write(1, b"%d %s" % (wrap.pid, answer))
time.sleep(60)
"""


def test_killing_the_client_ends_wrap_and_server(tools, tmp_path):
    """The server finds the end of its input as it would without wrap, and the capture ends in order."""
    capture = tmp_path / "capture.jsonl"
    wrapped = [*tools.WRAP, "-w", str(capture), "--", "cat"]
    with subprocess.Popen([sys.executable, "-c", CLIENT, *wrapped], stdout=subprocess.PIPE) as client:
        wrap, _, answer = client.stdout.readline().partition(b" ")
        assert answer == b"asked\n"
        client.kill()
    server = tools.until(lambda: tools.records(capture) if capture.exists() else [])[0]["pid"]
    assert tools.ends(server)
    assert tools.ends(int(wrap))
    tools.until(lambda: tools.records(capture)[-1]["type"] == "end")
    assert tools.rebuilt(tools.records(capture), "client") == b"asked\n"


@pytest.mark.parametrize("who", ["wrap", "server", "recorder"])
def test_what_was_stopped_goes_on(wrap, tools, who):
    """SIGSTOP loses nothing: after SIGCONT every byte comes, and stands in the capture."""
    wrapped = wrap(["cat"])
    wrapped.send(b"before\n")
    wrapped.read(7)
    pids = {"wrap": wrapped.process.pid, "server": wrapped.server(), "recorder": wrapped.recorder()}
    os.kill(pids[who], signal.SIGSTOP)
    wrapped.send(b"meanwhile\n")
    os.kill(pids[who], signal.SIGCONT)
    assert wrapped.read(10) == b"meanwhile\n"
    assert wrapped.finish(b"after\n") == (b"after\n", b"")
    tools.until(lambda: wrapped.records()[-1]["type"] == "end")
    for sender in ("client", "server"):
        assert tools.rebuilt(wrapped.records(), sender) == b"before\nmeanwhile\nafter\n"


def test_a_flood_on_stderr_is_passed_on_and_recorded(wrap, python, tools):
    """Megabytes of talk beside a request and its answer: all of it comes, and all of it is in the capture."""
    wrapped = wrap(
        python(
            "talk = b'e' * 999 + b'\\n'\n"
            "for _ in range(3000): os.write(2, talk)\n"
            "os.write(1, os.read(0, 99))\n"
            "for _ in range(3000): os.write(2, talk)\n"
        )
    )
    out, talk = wrapped.finish(b"asked\n")
    assert (out, len(talk)) == (b"asked\n", 6_000_000)
    tools.until(lambda: wrapped.records()[-1]["type"] == "end")
    assert tools.rebuilt(wrapped.records(), "stderr") == talk


def test_many_starts_leave_nothing_behind(tools, tmp_path):
    """No process, no descriptor of ours, no file but the captures; each of them is complete."""
    home = tmp_path / "home"
    home.mkdir()
    environment = {**os.environ, "HOME": str(home), "TMPDIR": str(home)}
    before = set(os.listdir("/proc/self/fd"))
    for number in range(STARTS):
        command = [*tools.WRAP, "-w", str(home / f"{number}.jsonl"), "--", "cat"]
        done = subprocess.run(command, input=b"1\n", capture_output=True, env=environment, timeout=tools.DEADLINE)
        assert (done.returncode, done.stdout, done.stderr) == (0, b"1\n", b"")
    for number in range(STARTS):
        capture = home / f"{number}.jsonl"
        tools.until(lambda capture=capture: capture.exists() and b'{"type":"end"' in capture.read_bytes())
    assert {path.name for path in home.iterdir()} == {f"{number}.jsonl" for number in range(STARTS)}
    assert set(os.listdir("/proc/self/fd")) == before
    tools.until(lambda: not living(str(home)))


def living(home):
    """The processes whose home is this folder."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/environ", "rb") as file:
                found += [pid] if f"\0HOME={home}\0".encode() in b"\0" + file.read() + b"\0" else []
        except OSError:
            continue  # it has just ended, or is another user's
    return found
