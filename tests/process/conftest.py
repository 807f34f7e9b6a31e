"""Real processes for the tests of this folder: wraps, their captures, and conditions waited for with a deadline."""

import base64
import json
import os
import select
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from tests.waiting import until

DEADLINE = 60.0  # seconds; reached only when something is broken
WRAP = (sys.executable, "-m", "mcpsniff", "wrap")
PYTHON = (sys.executable, "-I", "-S", "-c")  # a Python server that starts fast


def records(path):
    """The whole records of a capture, each a dict, with the exact text of an embedded message under `text`."""
    found = []
    for line in Path(path).read_bytes().split(b"\n")[:-1]:
        record = json.loads(line)
        if "message" in record:
            record["text"] = line[line.index(b'"message":') + 10 : -1]
        found.append(record)
    return found


def rebuilt(found, sender):
    """The bytes that `sender` ("client", "server" or "stderr") sent, from the records alone."""
    lines = (one for one in found if one.get("from", one["type"]) == sender)
    return b"".join(payload(one) + one.get("eol", "\n").encode() for one in lines)


def payload(record):
    """The bytes of a record's line without its end."""
    if "text" in record:
        return record["text"]
    return record["raw"].encode() if "raw" in record else base64.b64decode(record["b64"])


def ends(pid):
    """Whether the process, which need not be our child, ends before the deadline (as a zombie it has ended)."""
    try:
        fd = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    try:
        return bool(select.select([fd], [], [], DEADLINE)[0])
    finally:
        os.close(fd)


class Wrapped:
    """A running `mcpsniff wrap`, its three pipes, and its capture."""

    def __init__(self, folder, command, *options, write=None, program=WRAP, **popen):
        self.capture = Path(write or folder / "capture.jsonl")
        argv = [*program, "-w", str(self.capture), *options, "--", *command]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        self.process = subprocess.Popen(argv, bufsize=0, **(pipes | popen))

    def send(self, data):
        """Writes to wrap's stdin."""
        self.process.stdin.write(data)

    def read(self, size):
        """Exactly `size` bytes of wrap's stdout."""
        got = bytearray()
        while len(got) < size:
            assert select.select([self.process.stdout], [], [], DEADLINE)[0], f"only {bytes(got)!r} came"
            data = os.read(self.process.stdout.fileno(), size - len(got))
            assert data, f"the output ended after {bytes(got)!r}"
            got += data
        return bytes(got)

    def finish(self, data=b""):
        """Sends `data` and the end of input; what came on stdout and stderr, when wrap has ended."""
        return self.process.communicate(data, timeout=DEADLINE)

    def code(self):
        """Wrap's exit code, when it has ended."""
        return self.process.wait(timeout=DEADLINE)

    def records(self):
        """The capture's whole records so far."""
        return records(self.capture) if self.capture.exists() else []

    def has(self, **fields):
        """Waits for a record with these fields."""
        return until(lambda: next((one for one in self.records() if fields.items() <= one.items()), None))

    def server(self):
        """The server's pid."""
        return until(self.records)[0]["pid"]

    def recorder(self):
        """The pid of the recorder: wrap's child that is not the server."""
        pid, server = self.process.pid, self.server()
        children = map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split())
        return next(child for child in children if child != server)

    def end(self):
        """Kills wrap; its recorder sees to the server."""
        self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            if stream is not None:
                with suppress(OSError):
                    stream.close()


@pytest.fixture
def wrap(tmp_path):
    """Starts wraps: `wrap(command, *options, **popen)`; their captures lie in `tmp_path`."""
    started = []

    def start(command, *options, **more):
        started.append(Wrapped(tmp_path, command, *options, **more))
        return started[-1]

    yield start
    for one in started:
        one.end()


@pytest.fixture
def python():
    """Makes the command of a server from Python source."""
    return lambda source: [*PYTHON, "import os, signal, sys, time\n" + source]


@pytest.fixture(scope="session")
def tools():
    """The helpers of this module, for tests that cannot import it."""
    return sys.modules[__name__]
