"""A capture that cannot be opened or written never stops the traffic; nothing is ever overwritten."""

import os
import resource
import stat
import subprocess

import pytest


@pytest.fixture(params=["under a file", "in a read-only folder"])
def unwritable(request, tmp_path):
    """A path where no capture can be made, root or not."""
    if request.param == "in a read-only folder":
        return "/sys/capture.jsonl"
    (tmp_path / "file").write_text("")
    return str(tmp_path / "file" / "capture.jsonl")


def test_the_traffic_goes_on_without_a_capture(wrap, unwritable):
    """One line on stderr names the path and the reason; bytes and exit code are as ever."""
    wrapped = wrap(["sh", "-c", "cat; exit 3"], write=unwritable)
    out, err = wrapped.finish(b'{"id":1}\n')
    assert (out, wrapped.code()) == (b'{"id":1}\n', 3)
    assert err.startswith(f"mcpsniff: cannot write the capture {unwritable!r}: ".encode())
    assert err.count(b"\n") == 1


def test_strict_refuses_to_start_without_a_capture(wrap, unwritable, tmp_path):
    """With --strict the server is never started and the exit code is 2."""
    wrapped = wrap(["touch", str(tmp_path / "started")], "--strict", write=unwritable)
    _, err = wrapped.finish()
    assert wrapped.code() == 2
    assert err.count(b"\n") == 1
    assert not (tmp_path / "started").exists()


def test_strict_starts_with_a_capture(wrap):
    """With --strict and a good path everything is as without."""
    wrapped = wrap(["cat"], "--strict")
    assert wrapped.finish(b"1\n") == (b"1\n", b"")
    assert [one["type"] for one in wrapped.records()][-2:] == ["exit", "end"]


def test_a_full_disk_costs_a_gap(wrap, tools):
    """While the file cannot grow the traffic passes and one line is said; then a gap tells what is missing."""

    def small():
        resource.setrlimit(resource.RLIMIT_FSIZE, (2000, resource.RLIM_INFINITY))

    wrapped = wrap(["cat"], preexec_fn=small)
    line = b"%099d\n" % 1
    for _ in range(40):
        wrapped.send(line)
        assert wrapped.read(100) == line
    assert wrapped.process.stderr.readline().startswith(b"mcpsniff: cannot write all of the capture ")
    resource.prlimit(wrapped.recorder(), resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    out, err = wrapped.finish(b"after\n")
    assert (out, err) == (b"after\n", b"")
    found = wrapped.records()
    gaps = [one for one in found if one["type"] == "gap"]
    assert {one["why"] for one in gaps} == {"write-error"}
    kept = sum(one.get("size", 0) for one in found)
    assert kept + sum(one["bytes"] for one in gaps) == 2 * (40 * 100 + len(b"after\n"))
    assert [one["raw"] for one in found if one["type"] == "text"][-2:] == ["after", "after"]
    assert found[-1]["type"] == "end"


def test_two_wraps_at_once_write_two_files(wrap, tools, tmp_path):
    """Processes that start together with one FILE both keep their whole capture."""
    both = [wrap(["cat"]), wrap(["cat"])]
    for number, one in enumerate(both):
        assert one.finish(b"%d\n" % number)[0] == b"%d\n" % number
    captures = [tools.records(path) for path in tmp_path.glob("*.jsonl")]
    assert sorted(found[1]["text"] for found in captures) == [b"0", b"1"]
    assert all(found[-1]["type"] == "end" for found in captures)


def test_a_file_that_exists_is_not_touched(wrap, tmp_path):
    """The pid goes before the suffix, and the old file stays as it is."""
    (tmp_path / "capture.jsonl").write_text("mine")
    wrapped = wrap(["true"], "-v")
    _, err = wrapped.finish()
    beside = tmp_path / f"capture-{wrapped.process.pid}.jsonl"
    assert err == f"mcpsniff: capturing to {beside}\n".encode()
    assert (tmp_path / "capture.jsonl").read_text() == "mine"
    assert stat.S_IMODE(beside.stat().st_mode) == 0o600


def test_the_default_folder_and_name(tools, tmp_path):
    """Without -w the capture lies in the state folder, named after the server; nothing is said on stderr."""
    env = {"HOME": str(tmp_path), "PATH": os.environ["PATH"]}
    done = subprocess.run([*tools.WRAP, "true"], env=env, capture_output=True, timeout=tools.DEADLINE)
    assert (done.returncode, done.stderr) == (0, b"")
    (path,) = tmp_path.rglob("*.jsonl")
    assert path.name.startswith("true-")
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_strftime_codes_and_the_pid_in_the_name(tools, tmp_path):
    """%Y and %p are filled in, %% is a percent sign, missing folders are made."""
    command = [*tools.WRAP, "-w", str(tmp_path / "new" / "%Y-%p-%%.jsonl"), "true"]
    process = subprocess.Popen(command)
    assert process.wait(tools.DEADLINE) == 0
    (path,) = tmp_path.rglob("*.jsonl")
    year, pid, percent = path.stem.split("-")
    assert (len(year), int(pid), percent) == (4, process.pid, "%")


def test_secrets_of_the_command_line_are_hidden(wrap):
    """The header shows the command with its secrets replaced, and says what was; --no-redact shows all."""
    hidden = wrap(["true", "--api-key", "hunter2"])
    shown = wrap(["true", "--api-key", "hunter2"], "--no-redact", write=hidden.capture.with_name("shown.jsonl"))
    hidden.finish()
    shown.finish()
    assert b"hunter2" not in hidden.capture.read_bytes()
    assert hidden.records()[0]["redacted"] == ["--api-key"]
    assert shown.records()[0]["command"] == ["true", "--api-key", "hunter2"]
