"""The order in which wrap ends: the server's words, its exit, the capture, and only then wrap."""

import json
import subprocess
import sys


def run(tmp_path, command, **settings):
    """Runs the shim in a process of its own; the finished process and the capture's records."""
    path = str(tmp_path / "c.jsonl")
    script = (
        "from mcpsniff.wrap.options import Settings; from mcpsniff.wrap.shim import run; "
        f"run(Settings({command!r}, write={path!r}, **{settings!r}))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, input=b"", timeout=20)
    with open(path) as file:
        return done, [json.loads(line) for line in file]


def test_the_capture_is_complete_when_wrap_has_ended(tmp_path):
    """What the server said last, its exit and the end record are on disk."""
    done, records = run(tmp_path, ["sh", "-c", "seq 5000; exit 9"])
    assert (done.returncode, len(done.stdout.split()), done.stderr) == (9, 5000, b"")
    assert [one["type"] for one in records[-2:]] == ["exit", "end"]
    assert sum(one["type"] == "message" for one in records) == 5000


def test_both_ends_are_recorded_before_the_exit(tmp_path):
    """The exit stands behind the ends of the server's streams."""
    _, records = run(tmp_path, ["true"])
    kinds = [one.get("stream", one["type"]) for one in records]
    assert max(kinds.index("stdout"), kinds.index("stderr")) < kinds.index("exit")


def test_a_command_that_is_missing_is_named_with_its_odd_bytes_shown(tmp_path):
    """Control characters of the command cannot drive the terminal."""
    done, records = run(tmp_path, ["no\x1b[31msuch"])
    assert done.returncode == 127
    assert done.stderr == b"mcpsniff: cannot start 'no\\x1b[31msuch': No such file or directory\n"
    assert records[1]["code"] == 127
