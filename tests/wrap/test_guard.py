"""The guard ends a server that stays, in two steps, and leaves one alone that goes by itself."""

import os
import signal
import subprocess
import sys
import time

import pytest

from mcpsniff.wrap import guard as guard_module
from mcpsniff.wrap.guard import Guard

DEAF = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print(flush=True); time.sleep(60)"


@pytest.fixture(params=["by descriptor", "by pid"])
def held(request, monkeypatch):
    """With the system's process descriptors and without."""
    if request.param == "by pid":
        monkeypatch.delattr(os, "pidfd_open")
    monkeypatch.setattr(guard_module, "_LADDER", ((0.1, signal.SIGTERM), (0.3, signal.SIGKILL)))


@pytest.fixture
def start():
    """Starts Python scripts whose pids are reaped at once when they end, as those of orphans are."""
    started = []

    def run(script):
        started.append(subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE))
        started[-1].stdout.readline()
        return started[-1]

    before = signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    yield run
    for process in started:
        process.kill()
        process.wait()
        process.stdout.close()
    signal.signal(signal.SIGCHLD, before)


def test_a_server_that_heeds_sigterm_gets_no_more(held, start):
    """The first step is enough for most."""
    process = start("import time; print(flush=True); time.sleep(60)")
    sent = []
    Guard(process.pid).end(time.monotonic(), sent.append)
    assert sent == [signal.SIGTERM]


def test_a_server_that_ignores_sigterm_is_killed(held, start):
    """The second step is SIGKILL."""
    process = start(DEAF)
    sent = []
    Guard(process.pid).end(time.monotonic(), sent.append)
    assert sent == [signal.SIGTERM, signal.SIGKILL]
    assert process.stdout.read() == b""


def test_a_server_that_has_ended_gets_nothing(held, start):
    """Its pid may be another's by now."""
    process = start("print(flush=True)")
    process.stdout.read()
    sent = []
    Guard(process.pid).end(time.monotonic() + 60, sent.append)
    assert sent == []


def test_a_server_that_ends_in_time_gets_nothing(held, start):
    """Its own way of ending after its input has closed is left to it."""
    guard = Guard(start("import time; print(flush=True); time.sleep(.2)").pid)
    sent = []
    guard.end(time.monotonic() + 30, sent.append)
    assert sent == []
