"""The spinners: one a core, only while they are wanted, and only where nothing else wants to run."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.waiting import until

AWAKE = Path(__file__).parents[2] / "benchmarks" / "awake.py"
DEADLINE = 60.0  # seconds
pytestmark = pytest.mark.skipif(not hasattr(os, "SCHED_IDLE"), reason="Linux only, as the benchmarks are")
HARNESS = f"""
import sys
sys.path.insert(0, {str(AWAKE.parents[1])!r})
from benchmarks.awake import awake
with awake():
    print(flush=True)
    sys.stdin.read()
print("over", flush=True)
"""


@pytest.fixture
def harness():
    """A process that keeps the cores awake until its input ends."""
    with subprocess.Popen([sys.executable, "-c", HARNESS], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        process.stdout.readline()
        yield process
        process.kill()


def children(pid):
    """The children of a process."""
    return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def lives(pid):
    """Whether the process is there and no zombie."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_each_core_has_one_that_yields_to_everything(harness):
    """They cover the cores that the harness may use, at the priority that runs only on idle ones."""
    spinners = children(harness.pid)
    until(lambda: all(os.sched_getscheduler(pid) == os.SCHED_IDLE for pid in spinners))
    cores = [os.sched_getaffinity(pid) for pid in spinners]
    assert sorted(cores, key=min) == [{core} for core in sorted(os.sched_getaffinity(harness.pid))]


def test_they_end_with_the_measurement(harness):
    """When the context is left, none is there any more."""
    spinners = children(harness.pid)
    harness.stdin.close()
    assert harness.stdout.readline() == b"over\n"
    assert not any(map(lives, spinners))


def test_they_end_with_a_harness_that_is_killed(harness):
    """A killed harness leaves none behind."""
    spinners = children(harness.pid)
    until(lambda: all(os.sched_getscheduler(pid) == os.SCHED_IDLE for pid in spinners))
    harness.kill()
    harness.wait()
    until(lambda: not any(map(lives, spinners)))
