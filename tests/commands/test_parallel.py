"""Captures that are read side by side."""

import signal
from multiprocessing import Pipe
from pathlib import Path

import pytest

from mcpsniff.analysis.engine import analyze
from mcpsniff.analysis.report import build, join
from mcpsniff.commands import parallel
from mcpsniff.errors import McpsniffError
from mcpsniff.rules.selection import DEFAULT

SAMPLES = Path(__file__).parents[2] / "samples" / "captures"
CAPTURES = sorted((SAMPLES / "faulty").glob("*.jsonl"))[:3]


def test_same_report_as_one_after_the_other() -> None:
    """Sessions, findings and losses are the same, in the same order, also of the same capture twice."""
    chosen = [((str(path),), DEFAULT) for path in (*CAPTURES, CAPTURES[0])]
    side_by_side = join(one for one in parallel.SideBySide(chosen) if not isinstance(one, McpsniffError))
    assert side_by_side == build(analyze(files, selection) for files, selection in chosen)


def test_what_cannot_be_read_is_said_in_its_place(tmp_path: Path) -> None:
    """A file that is no capture gives the error, the others their parts."""
    empty = tmp_path / "empty.jsonl"
    empty.touch()
    first, second = parallel.SideBySide([((str(empty),), DEFAULT), ((str(CAPTURES[0]),), DEFAULT)])
    assert isinstance(first, McpsniffError)
    assert "it is empty" in str(first)
    assert not isinstance(second, McpsniffError)


def test_a_process_that_was_ended_is_told() -> None:
    """Its end of the pipe is closed, and no part has come."""
    channel, end = Pipe(duplex=False)
    end.close()
    with pytest.raises(McpsniffError, match="ended from outside"):
        parallel._result(channel)


def test_nobody_waits_for_a_result() -> None:
    """Where the reader of the parts is gone, the process ends without a word."""
    channel, end = Pipe(duplex=False)
    with end:
        before = signal.getsignal(signal.SIGINT)
        try:
            parallel._work(channel, end, (str(CAPTURES[0]),), DEFAULT)
        finally:
            signal.signal(signal.SIGINT, before)
    assert channel.closed


@pytest.mark.parametrize(
    ("files", "size", "processors", "helps"),
    [
        (["a", "b"], parallel.WORTH_IT, 2, True),
        (["a"], parallel.WORTH_IT, 2, False),
        (["a", "b"], parallel.WORTH_IT - 1, 2, False),
        (["a", "-"], parallel.WORTH_IT, 2, False),
        (["a", "b"], parallel.WORTH_IT, 1, False),
    ],
)
def test_when_it_helps(
    files: list[str], size: int, processors: int, helps: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two captures or more, long together, none of them standard input, and a second processor."""
    monkeypatch.setattr("os.cpu_count", lambda: processors)
    assert parallel.helps([((name,), DEFAULT) for name in files], size) is helps
