"""Parts written by real processes: whole together, private, readable at any time, and each wrap's own."""

import os
import signal
import stat
import sys
import threading
from contextlib import suppress

import pytest

from mcpsniff.analysis.engine import analyze
from mcpsniff.analysis.report import build
from mcpsniff.commands.inputs import captures
from mcpsniff.errors import McpsniffError
from mcpsniff.rules.selection import NOTHING

LINES = [b'{"jsonrpc":"2.0","id":%d,"method":"ping"}\n' % number for number in range(2000)]
PACKED = (".gz", ".zst")


def report(*names):
    """The report on what names stand for, without rules; everything must be readable."""
    return build([analyze(files, NOTHING) for files in captures([str(name) for name in names])], ())


@pytest.fixture
def whole(tools, tmp_path):
    """Waits for recorders, for which a wrap does not wait long: for the ends of so many captures, and the packer."""

    def wait(captures=1, packed=False):
        tools.until(lambda: not packed or all(path.name.endswith(PACKED) for path in tmp_path.iterdir()))
        return tools.until(lambda: _if_complete(tmp_path, captures))

    return wait


def _if_complete(folder, captures):
    with suppress(McpsniffError):  # a file that is not there yet, or any more
        said = report(folder)
        return said if [capture["complete"] for capture in said.captures] == [True] * captures else None


@pytest.mark.parametrize("options", [[], ["--sync"], ["--compress", "gzip"], ["--compress", "zstd"]])
def test_the_parts_of_a_session_are_the_session(wrap, whole, tmp_path, options):
    """2000 lines and their echoes in parts of 64k: all are there, for the owner alone, and the report's one session."""
    wrapped = wrap(["cat"], "-C", "64k", *options)
    assert wrapped.finish(b"".join(LINES)) == (b"".join(LINES), b"")
    said = whole(packed="--compress" in options)
    files = sorted(tmp_path.iterdir())
    assert len(files) > 5
    assert {path.name.endswith(PACKED) for path in files} == {"--compress" in options}
    assert {stat.S_IMODE(path.stat().st_mode) for path in files} == {0o600}
    for one in (said, report(wrapped.capture)):
        (session,) = one.sessions
        assert (session["messages"]["client"]["requests"], session["complete"]) == (2000, True)
        assert [part["file"] for part in one.captures[0]["parts"]] == [str(path) for path in files]
        assert not any(one.losses.values())


def test_a_ring_is_the_end_of_a_session(wrap, whole, tmp_path):
    """The newest two parts, to the end; what came before is named as missing."""
    wrapped = wrap(["cat"], "-C", "64k", "-W", "2")
    wrapped.finish(b"".join(LINES))
    said = whole()
    assert [os.path.basename(part["file"]) for part in said.captures[0]["parts"]] == sorted(os.listdir(tmp_path))
    assert len(os.listdir(tmp_path)) == 2
    (lost,) = said.losses["missing_parts"]
    assert lost["parts"] == list(range(1, lost["count"] + 1))
    assert said.sessions[0]["began"] == "mid-session"


def test_parts_by_seconds_bear_the_time_at_which_they_begin(tools, tmp_path):
    """A name that ends in the time and the number sorts by time, also where the clock is set back by hours."""
    back = (
        "import sys, time\n"
        "times = iter(range(1_000_000_000, 0, -3600))\n"
        "time.time = lambda: float(next(times))\n"
        "from mcpsniff.__main__ import main\n"
        "sys.argv.insert(1, 'wrap')\n"
        "main()\n"
    )
    write = tmp_path / "%Y%m%d-%H%M%S.jsonl"
    wrapped = tools.Wrapped(tmp_path, ["cat"], "-G", "1", write=write, program=[sys.executable, "-c", back])
    try:
        for number in range(3):
            tools.until(lambda number=number: _echo(wrapped) and len(list(tmp_path.iterdir())) > number)
        wrapped.finish()
        tools.until(lambda: tools.records(max(tmp_path.iterdir()))[-1]["type"] == "end")
    finally:
        wrapped.end()
    files = sorted(tmp_path.iterdir())
    records = [record for path in files for record in tools.records(path)]
    assert [one["part"] for one in records if one["type"] == "capture"] == list(range(1, len(files) + 1))
    assert len({one["started"] for one in records if one["type"] == "capture"}) == 1
    assert len({path.name[:15] for path in files}) == len(files)
    times = [one["t"] for one in records if one["type"] != "capture"]
    assert times == sorted(times)
    assert times[-1] > 2


def _echo(wrapped):
    wrapped.send(b"1\n")
    return wrapped.read(2)


def test_ten_wraps_at_once_in_one_folder(wrap, whole, tmp_path):
    """With one name for all none takes another's files, and each capture is whole."""
    wraps = [wrap(["cat"], "-C", "16k") for _ in range(10)]
    data = b"".join(LINES[:300])
    for one in wraps:
        assert one.finish(data) == (data, b"")
    said = whole(captures=10)
    assert all(len(capture["parts"]) > 3 for capture in said.captures)
    assert sum(len(capture["parts"]) for capture in said.captures) == len(os.listdir(tmp_path))
    assert [one["messages"]["client"]["requests"] for one in said.sessions] == [300] * 10
    assert not any(said.losses.values())


@pytest.mark.parametrize("options", [[], ["--compress", "gzip"]])
def test_a_capture_is_read_while_it_is_written(wrap, tools, tmp_path, options):
    """A report at any time is one on a session without a hole; parts that are being packed are there once."""
    wrapped = wrap(["cat"], "-C", "16k", *options)
    tools.until(lambda: any(path.stat().st_size for path in tmp_path.iterdir()))
    data = b"".join(LINES)
    writer = threading.Thread(target=wrapped.send, args=(data,))
    writer.start()
    seen = [_requests(report(tmp_path)) for _ in range(3)]
    assert wrapped.read(len(data)) == data
    writer.join()
    tools.until(lambda: seen.append(_requests(report(tmp_path))) or seen[-1] == 2000)
    assert seen == sorted(seen)
    wrapped.finish()


def _requests(said):
    """The requests of the one session that is reported on, without anything missing."""
    (session,) = said.sessions
    assert not any(said.losses.values())
    return session["messages"]["client"]["requests"]


def test_killing_the_recorder_leaves_readable_parts(wrap, tools, tmp_path):
    """Whatever was being packed is still there in plain; no record stands twice, and the traffic goes on."""
    wrapped = wrap(["cat"], "-C", "16k", "--compress", "zstd")
    wrapped.capture = tmp_path / "capture-00001.jsonl"
    recorder = wrapped.recorder()
    data = b"".join(LINES)
    writer = threading.Thread(target=wrapped.send, args=(data,))
    writer.start()
    tools.until(lambda: len(list(tmp_path.iterdir())) > 3)
    os.kill(recorder, signal.SIGKILL)
    assert wrapped.read(len(data)) == data
    writer.join()
    wrapped.finish()
    said = report(tmp_path)
    assert len(said.captures) == 1
    assert not said.losses["missing_parts"]
    assert said.losses["gaps"] == []


def test_killing_wrap_packs_all_parts(wrap, tools, tmp_path):
    """The recorder ends its work in order, though without an end record."""
    wrapped = wrap(["cat"], "-C", "64k", "--compress", "gzip")
    data = b"".join(LINES)
    wrapped.send(data)
    assert wrapped.read(len(data)) == data
    wrapped.process.kill()
    tools.until(lambda: all(path.suffix == ".gz" for path in tmp_path.iterdir()))
