"""Who asks for no figures gets the same rows and findings, and nothing is counted meanwhile."""

from pathlib import Path

import pytest

from mcpsniff.analysis.metrics import Metrics
from mcpsniff.analysis.row import values
from mcpsniff.analysis.stream import Stream
from mcpsniff.capture.parts import read_parts

FAULTY = sorted((Path(__file__).parents[2] / "samples/captures/faulty").glob("*.jsonl"))


def told(path, **options):
    """Rows of a capture with their findings, then the findings of its sessions."""
    stream = Stream(read_parts(str(path)), **options)
    rows = [values(row) for row in stream]
    return rows, [(one.rule, one.seq, one.message) for s in stream.result.sessions for one in s.findings]


@pytest.mark.parametrize("path", FAULTY, ids=lambda path: path.stem)
def test_rows_and_findings_are_the_same(path):
    """On both transports, with and without figures."""
    rows, findings = told(path)
    assert (rows, findings) == told(path, counted=True)
    assert any("findings" in row for row in rows)


@pytest.mark.parametrize("path", FAULTY, ids=lambda path: path.stem)
def test_nothing_is_counted(path, monkeypatch):
    """No method of the figures is called, whatever the capture holds."""
    taking = [name for name in vars(Metrics) if not name.startswith("_")]
    for name in taking:
        monkeypatch.setattr(Metrics, name, lambda *_: pytest.fail("counted"))
    assert told(path)[0]
